import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { MessageView as Message } from '../../../../slack/people/control-types.ts';
import { useNames } from '../../core/names.ts';
import { localDay } from '../../core/zone-time.ts';
import { dayDivider } from '../../text/slack-date.ts';
import { MessageView } from './message-view.ts';

const NEAR_THE_END_PX = 120;

interface MessageListProps {
  messages: readonly Message[];
  channelId: string;
  isInThread: boolean;
  label: string;
  /** Shown above the first message. */
  children?: ComponentChildren;
}

/** Messages, oldest first, with a line between days. Follows new ones unless the reader has scrolled up. */
export function MessageList({ messages, channelId, isInThread, label, children }: MessageListProps): VNode {
  const names = useNames();
  const { list, onScroll } = useFollowedEnd(channelId);
  const dayOf = ({ ts }: Message) => localDay(Number(ts) * 1000, names.timeZone);
  return html`<div
    class="message-list"
    ref=${list}
    tabindex="0"
    role="region"
    aria-label=${label}
    data-testid=${isInThread ? 'thread-messages' : 'messages'}
    onScroll=${onScroll}
  >
    ${children}
    ${messages.map((message, index) => {
      const before = messages[index - 1];
      const startsDay = before === undefined || dayOf(before) !== dayOf(message);
      return html`${startsDay && !isInThread && html`<h3 class="day-line" key=${`day-${message.ts}`}><span>${dayDivider(Number(message.ts) * 1000, names)}</span></h3>`}
        <${MessageView} key=${message.ts} message=${message} channelId=${channelId} isInThread=${isInThread} />`;
    })}
  </div>`;
}

/**
 * Keeps the end in view while content grows: new messages, and charts that get their size late. For a message taller than the
 * window it shows the beginning. It does not move a reader who has scrolled up.
 */
function useFollowedEnd(channelId: string) {
  const list = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  useLayoutEffect(() => {
    isFollowing.current = true;
  }, [channelId]);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const follow = () => {
      if (isFollowing.current) element.scrollTop = endOf(element);
    };
    follow();
    const observer = new ResizeObserver(follow);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  });
  const onScroll = () => {
    const element = list.current;
    if (element !== null) isFollowing.current = endOf(element) - element.scrollTop < NEAR_THE_END_PX;
  };
  return { list, onScroll };
}

/** Returns the scroll position: the end, or the beginning of the last message if it would not fit. */
function endOf(list: HTMLElement): number {
  const last = list.lastElementChild;
  const end = list.scrollHeight - list.clientHeight;
  if (last === null) return end;
  const start = last.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
  return Math.max(0, Math.min(end, start));
}
