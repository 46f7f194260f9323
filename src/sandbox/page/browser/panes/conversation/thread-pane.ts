import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ChannelView } from '../../../../slack/people/control-types.ts';
import { usePage } from '../../core/page-context.ts';
import { repliesTo } from '../../core/reduce.ts';
import { Composer } from './composer.ts';
import { MessageList } from './message-list.ts';

export function ThreadPane({ channel, threadTs }: { channel: ChannelView; threadTs: string }): VNode {
  const { session, state } = usePage();
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), [threadTs]);
  const root = channel.messages.find(({ ts }) => ts === threadTs);
  const messages = [...(root ? [root] : []), ...repliesTo(channel, threadTs)];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) session.openThread(null);
  };
  return html`<aside class="side" aria-label="Thread" data-testid="thread" onKeyDown=${onKeyDown}>
    <header class="pane-head">
      <h2>Thread</h2>
      <p class="pane-facts">${channel.kind === 'dm' ? channel.name : `#${channel.name}`}</p>
      <button
        type="button"
        class="button button-small"
        ref=${close}
        data-testid="close-thread"
        onClick=${() => session.openThread(null)}
      >
        Close
      </button>
    </header>
    <${MessageList}
      key=${threadTs}
      messages=${messages}
      channelId=${channel.id}
      isInThread=${true}
      label="Messages in the thread"
    />
    ${state.snapshot !== null && channel.isMember && !channel.isArchived && html`<${Composer} snapshot=${state.snapshot} key=${threadTs} channel=${channel} threadTs=${threadTs} />`}
  </aside>`;
}
