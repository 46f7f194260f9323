import type {
  ChannelView,
  MessageView,
  SlackEvent,
  SlackEventOf,
  Snapshot,
  ViewView,
} from '../../../slack/people/control-types.ts';

/**
 * Returns the workspace after an event.
 *
 * @returns null if the event lacks the necessary data; then the state must be read again
 */
export function applyEvent(snapshot: Snapshot, event: SlackEvent): Snapshot | null {
  const after = { ...snapshot, seq: Math.max(snapshot.seq, event.seq) };
  switch (event.kind) {
    case 'direct_message':
      return withDirectMessage(after, event.person);
    case 'message':
      return changeChannel(withOwnMessage(after, event), event.channel, (messages) =>
        withMessage(messages, event.message),
      );
    case 'message_updated':
      return changeChannel(after, event.channel, (messages) => withMessage(messages, event.message));
    case 'ephemeral':
      if (event.message.visibleTo !== null && event.message.visibleTo !== snapshot.viewer.id) return after;
      return changeChannel(after, event.channel, (messages) => withMessage(messages, event.message));
    case 'message_deleted':
      return changeChannel(after, event.channel, (messages) => messages.filter(({ ts }) => ts !== event.message.ts));
    case 'view_opened':
    case 'view_updated':
    case 'view_closed':
    case 'home_published':
      return event.person === snapshot.viewer.id ? applyView(after, event.kind, event.view) : after;
    case 'connection':
      return { ...after, app: { ...after.app, connections: event.connections } };
    case 'file_shared':
    case 'workspace_changed':
      return null;
    case 'acked':
    case 'timed_out':
    case 'traffic':
      return after;
    default:
      return null;
  }
}

function withDirectMessage(snapshot: Snapshot, person: string): Snapshot {
  const count = (snapshot.directMessages[person] ?? 0) + 1;
  return { ...snapshot, directMessages: { ...snapshot.directMessages, [person]: count } };
}

function withOwnMessage(snapshot: Snapshot, { channel, message }: SlackEventOf<'message'>): Snapshot {
  const isDirect = snapshot.channels.some(({ id, kind, hasApp }) => id === channel && kind === 'dm' && hasApp);
  return isDirect && message.author === snapshot.app.botUserId
    ? withDirectMessage(snapshot, snapshot.viewer.id)
    : snapshot;
}

/** Applies the modal stack of an answer, unless a later event has already changed it. */
export function withModals(snapshot: Snapshot, modals: ViewView[], seq: number): Snapshot {
  return snapshot.seq > seq ? snapshot : { ...snapshot, modals };
}

function changeChannel(
  snapshot: Snapshot,
  channelId: string,
  change: (messages: MessageView[]) => MessageView[],
): Snapshot | null {
  const channel = snapshot.channels.find(({ id }) => id === channelId);
  if (channel === undefined) return null;
  const changed = { ...channel, messages: withReplyCounts(change(channel.messages)) };
  return { ...snapshot, channels: snapshot.channels.map((one) => (one === channel ? changed : one)) };
}

/** A reply arrives alone: the count on its thread's first message is updated here. */
function withReplyCounts(messages: readonly MessageView[]): MessageView[] {
  const counts = new Map<string, number>();
  for (const { ts, threadTs, isEphemeral } of messages) {
    if (threadTs !== null && threadTs !== ts && !isEphemeral) counts.set(threadTs, (counts.get(threadTs) ?? 0) + 1);
  }
  return messages.map((message) => {
    const replyCount = counts.get(message.ts) ?? 0;
    if (replyCount === message.replyCount) return message;
    const isRoot = message.threadTs === null || message.threadTs === message.ts;
    const threadTs = replyCount === 0 ? null : message.ts;
    return { ...message, replyCount, threadTs: isRoot ? threadTs : message.threadTs };
  });
}

function withMessage(messages: readonly MessageView[], message: MessageView): MessageView[] {
  const isKnown = messages.some(({ ts }) => ts === message.ts);
  if (isKnown) return messages.map((one) => (one.ts === message.ts ? message : one));
  return [...messages, message].toSorted((a, b) => Number(a.ts) - Number(b.ts));
}

function applyView(snapshot: Snapshot, kind: SlackEvent['kind'], view: ViewView): Snapshot | null {
  if (view.type === 'home') return { ...snapshot, home: view };
  const others = snapshot.modals.filter(({ id }) => id !== view.id);
  if (kind === 'view_closed') return { ...snapshot, modals: others };
  if (kind === 'view_opened') return { ...snapshot, modals: [...others, view] };
  if (others.length === snapshot.modals.length) return null;
  return { ...snapshot, modals: snapshot.modals.map((one) => (one.id === view.id ? view : one)) };
}

/** Returns the messages of a channel outside of its threads, and replies that were also sent to the channel. */
export function topMessages(channel: ChannelView): MessageView[] {
  return channel.messages.filter(
    ({ ts, threadTs, subtype }) => threadTs === null || threadTs === ts || subtype === 'thread_broadcast',
  );
}

export function repliesTo(channel: ChannelView, threadTs: string): MessageView[] {
  return channel.messages.filter((message) => message.threadTs === threadTs && message.ts !== threadTs);
}

export interface DirectMessageCounts {
  snapshot: Pick<Snapshot, 'directMessages'> | null;
  /** person id → how many direct messages of the app they had when they last looked. */
  seenDirect: Readonly<Record<string, number>>;
}

/** The number of direct messages of the app that a person has not looked at. */
export function waitingFor({ snapshot, seenDirect }: DirectMessageCounts, personId: string): number {
  return Math.max(0, (snapshot?.directMessages[personId] ?? 0) - (seenDirect[personId] ?? 0));
}
