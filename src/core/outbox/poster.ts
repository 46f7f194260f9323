import type { Deadline } from '../base/time/deadline.ts';
import type { GroupSum, Names } from '../base/privacy/disclosure.ts';
import type { Markup } from '../base/text/markup.ts';

/** A message as Slack's `chat.postMessage` takes it. `text` says the same as the blocks. */
export interface OutgoingMessage {
  text: Markup;
  blocks?: readonly object[];
  /** The thread that it answers in; then the channel is the thread's. */
  replyTo?: MessagePlace;
  /** None if missing. The door records these people when the message leaves. */
  names?: Names;
  sums?: readonly GroupSum[];
}

export type DeclaredMessage = OutgoingMessage & { names: Names };

export const namesNobody = (message: OutgoingMessage): DeclaredMessage => ({ ...message, names: 'nobody' });

/** The place of a message. For a direct message the channel is the conversation's, not the person's. */
export interface MessagePlace {
  channel: string;
  ts: string;
}

/** Only `posted` and `refused` are certain. */
export type PostOutcome =
  | { kind: 'posted'; channel: string; ts: string }
  /** Slack refused, and asking again would not help. `reason` is a sentence. */
  | { kind: 'refused'; code: string; reason: string }
  /**
   * Not posted, and worth another attempt. Without `delayMs`, the pauses grow for as long as Slack refuses, and last at
   * least as long as Slack asked.
   * `isForChannel`: nothing else may be posted in that channel either.
   */
  | { kind: 'later'; delayMs?: number; askedMs?: number; reason: string; isForChannel?: boolean }
  /** The message may be in the channel. */
  | { kind: 'unknown'; reason: string };

export type SearchOutcome =
  /** `others`: more messages of the bot with the same key, newest first. */
  | { kind: 'found'; channel: string; ts: string; others: string[] }
  | { kind: 'absent' }
  /** `isClosed`: the channel can be neither read nor posted to. `isAway`: Slack did not answer. */
  | { kind: 'unreadable'; reason: string; askedMs?: number; isClosed?: boolean; isAway?: boolean };

export type OpenOutcome = { kind: 'open'; channel: string } | Extract<PostOutcome, { kind: 'later' | 'refused' }>;

/** No method may post twice by itself. */
export interface Poster {
  /** Does all the work before a post: opens the conversation of a direct message, checks who reads there. */
  open(channel: string): Promise<OpenOutcome>;
  /** Posts once, with `key` as metadata, and not after `deadline`. `open` returns the channel. */
  post(channel: string, key: string, message: OutgoingMessage, deadline?: Deadline): Promise<PostOutcome>;
  find(where: { channel: string; thread: MessagePlace | undefined }, key: string, oldest: Date): Promise<SearchOutcome>;
  /** Never `unknown`: repeating an edit does no harm. */
  edit(
    place: MessagePlace,
    message: OutgoingMessage,
    deadline?: Deadline,
  ): Promise<Exclude<PostOutcome, { kind: 'unknown' }>>;
  /** @returns `false` if Slack did not delete it */
  remove(place: MessagePlace): Promise<boolean>;
}
