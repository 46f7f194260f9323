import type { Deadline } from '../base/time/deadline.ts';
import type { GroupSum, Names } from '../base/privacy/disclosure.ts';
import type { Markup } from '../base/text/markup.ts';

/** A message as Slack's `chat.postMessage` takes it; `text` says what the blocks say. */
export interface OutgoingMessage {
  text: Markup;
  blocks?: readonly object[];
  /** The thread that it answers in; then the channel is the thread's. */
  replyTo?: MessagePlace;
  /** Whose figures it shows by name; none if missing. The door that it leaves through records them. */
  names?: Names;
  /** The sums of groups that it shows. */
  sums?: readonly GroupSum[];
}

/** A message of the outbox: it says whose figures it shows. */
export type DeclaredMessage = OutgoingMessage & { names: Names };

/** Declares that a message shows no figures of single people. */
export const namesNobody = (message: OutgoingMessage): DeclaredMessage => ({ ...message, names: 'nobody' });

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
  /**
   * Not posted, and worth another attempt: Slack asked to wait, refused for a reason that may pass, or was not reached. Without
   * `delayMs`, the pauses grow for as long as Slack refuses. `isForChannel`: nothing else may be posted in that channel either.
   */
  | { kind: 'later'; delayMs?: number; reason: string; isForChannel?: boolean }
  /** The message may stand in the channel. */
  | { kind: 'unknown'; reason: string };

export type SearchOutcome =
  /** `others`: more messages of ours with the same key, the newest first. */
  | { kind: 'found'; channel: string; ts: string; others: string[] }
  | { kind: 'absent' }
  /** `isClosed`: nothing can be read there because nothing can be posted there. `isAway`: Slack did not answer. */
  | { kind: 'unreadable'; reason: string; retryAfterMs?: number; isClosed?: boolean; isAway?: boolean };

export type OpenOutcome = { kind: 'open'; channel: string } | Extract<PostOutcome, { kind: 'later' | 'refused' }>;

/** What the outbox needs of Slack. Nothing in it may post twice by itself. */
export interface Poster {
  /** Does all that comes before a post: opens the conversation of a direct message, looks who reads there. */
  open(channel: string): Promise<OpenOutcome>;
  /**
   * Posts once; the message carries `key` as metadata.
   *
   * @param channel as `open` gave it
   * @param deadline past it nothing is sent
   */
  post(channel: string, key: string, message: OutgoingMessage, deadline?: Deadline): Promise<PostOutcome>;
  /** Looks for a message with that key, posted since `oldest`, in a channel or in a thread. */
  find(where: { channel: string; thread: MessagePlace | undefined }, key: string, oldest: Date): Promise<SearchOutcome>;
  /** Replaces what a message of ours says. Doing it twice does no harm, so nothing is `unknown`: it is done again. */
  edit(
    place: MessagePlace,
    message: OutgoingMessage,
    deadline?: Deadline,
  ): Promise<Exclude<PostOutcome, { kind: 'unknown' }>>;
  /** Deletes a message of ours. @returns `false` when Slack did not */
  remove(place: MessagePlace): Promise<boolean>;
}
