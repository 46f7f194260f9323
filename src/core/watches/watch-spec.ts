import type { Markup } from '../base/text/markup.ts';
import type { Preparation } from '../outbox/attempts/delivery-outcomes.ts';
import type { BlockMessage } from '../slack/blocks/blocks.ts';
import type { CommandText } from '../slack/commands/command-text.ts';
import type { Interaction } from '../slack/interactions/interactions.ts';
import type { DatabaseTransaction } from '../store/tables.ts';
import type { ChannelSubscription } from './channel-subscription-table.ts';
import type { MissedEvents, PauseWords } from './pausing.ts';
import type { DeclaredWatches } from './watch-kind.ts';

export type Watch<Options> = Pick<ChannelSubscription, 'channel' | 'subject' | 'since'> & { options: Options };

/** Without a channel: the channel in which the command was typed. */
export interface WatchRequest {
  channel?: string | undefined;
  /** By direct message to the person. */
  isForMe?: boolean;
}

export interface NewWatch<Stored> {
  subject: string;
  options: Stored;
  /** The last event number that is known now. */
  since: number | null;
  /** The subject of the watch, for the audit. */
  detail: string | null;
  /** Runs in the transaction that starts it, unless it was active. */
  whenStarted?: (trx: DatabaseTransaction) => Promise<void>;
}

/** What a feature says of its watches; `channelWatch` makes commands, App Home and messages of it. */
export interface WatchSpec<Request extends WatchRequest, Options, Stored> {
  watches: DeclaredWatches<Options, Stored>;
  /** `/controls` */
  command: string;
  role: 'manager' | 'admin';
  /** The kind of its messages in the outbox. */
  notice: string;
  /** A person can get the messages too. */
  takesMe?: true;
  setting?: string;
  /** Finds the subject of a request before the channel is joined. */
  check(
    request: Request,
    interaction: Interaction,
    place: string,
  ): Promise<NewWatch<Stored> | { refusal: BlockMessage }>;
  /** Finds the subject to end; undefined: all. Missing: always all. */
  subjectToEnd?(request: Request): Promise<{ subject: string | undefined } | { refusal: BlockMessage }>;
  /** Missing: nothing is announced after a pause, or the next evaluation finds it. */
  missed?: MissedEvents;
  says: WatchWords<Options>;
}

/** `content`: what it consists of, if its amounts are not examples. */
export type Example = { message: BlockMessage; content?: string } | { none: string };

interface WatchWords<Options> {
  /** At the start of a sentence: `Readiness alerts`. */
  alerts: string;
  /** App Home without a watch: `No channel gets … .` Missing: it shows nothing. */
  nothing?: string;
  /** What has to happen for the next message: `when a revision changes something`. */
  next: string;
  /** What becomes of the events during a pause. */
  pause: PauseWords;
  /** The messages: `changes to the readiness score of acme/web`. */
  what(watch: Watch<Options>): Markup;
  /** A message as it would look; a sentence if there is none to show yet. @example an unusual day */
  example(watch: Watch<Options>): Promise<Example>;
  /** The messages in full, for a new watch. Missing: `what`. */
  offer?(watch: Watch<Options>): Markup;
  /** When messages come, or where earlier ones are. */
  start: Markup;
  /** The start for the introduction, if it differs. */
  introduce?(watch: Watch<Options>): Promise<Markup | Extract<Preparation, { kind: 'wait' }>>;
  /** The commands that show more. */
  more?: Markup;
  /** The words that set it up again; undefined if they cannot be written down. */
  again(watch: Watch<Options>): CommandText | undefined;
  /** Missing: `unwatch`. */
  unwatch?(watch: Watch<Options>): string;
}
