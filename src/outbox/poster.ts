import type { Markup } from '../slack/text.ts';

/** A message as Slack's `chat.postMessage` takes it; `text` says what the blocks say. */
export interface OutgoingMessage {
  text: Markup;
  blocks?: readonly object[];
  /** The thread that it answers in; then the channel is the thread's. */
  replyTo?: MessagePlace;
}

/** Where a message stands. For a direct message the channel is the conversation's, not the person's. */
export interface MessagePlace {
  channel: string;
  ts: string;
}

/** What became of one attempt to post. Only `posted` and `refused` are certain. */
export type PostOutcome =
  | { kind: 'posted'; channel: string; ts: string }
  /** Slack said no, and asking again would not help. `reason` is a sentence. */
  | { kind: 'refused'; code: string; reason: string }
  /** Not posted; Slack (or the network, before anything was sent) wants us to come back later. */
  | { kind: 'later'; delayMs: number; reason: string }
  /** The message may stand in the channel. */
  | { kind: 'unknown'; reason: string };

export type SearchOutcome =
  | { kind: 'found'; channel: string; ts: string }
  | { kind: 'absent' }
  | { kind: 'unreadable'; reason: string; retryAfterMs?: number };

/** What the outbox needs of Slack. Nothing in it may post twice by itself. */
export interface Poster {
  /** Posts once; the message carries `key` as metadata. */
  post(channel: string, key: string, message: OutgoingMessage): Promise<PostOutcome>;
  /** Looks for a message with that key, posted since `oldest`, in a channel or in a thread. */
  find(where: { channel: string; thread: MessagePlace | undefined }, key: string, oldest: Date): Promise<SearchOutcome>;
  /** Replaces what a message of ours says. Doing it twice does no harm, so nothing is `unknown`: it is done again. */
  edit(place: MessagePlace, message: OutgoingMessage): Promise<Exclude<PostOutcome, { kind: 'unknown' }>>;
}
