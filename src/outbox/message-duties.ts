import type { DatabaseTransaction } from '../store/tables.ts';
import type { Preparation } from './attempt.ts';
import type { Settlement } from './deliveries.ts';
import type { Delivery, EndedDelivery } from './delivery-table.ts';
import type { Role } from '../base/roles.ts';
import type { DeclaredMessage, MessagePlace } from './poster.ts';
import type { Reader } from './reader.ts';

/** Who names the recipient of a message that no subscription brings. */
export type NamedBy =
  | 'requester of a limit'
  | 'person whose limit it is'
  | 'admins'
  | 'limits channel'
  | 'person who ordered a computer'
  | 'channel of the command'
  | 'person whose agent it is'
  | 'owner'
  | 'former subscriber';

/** Who gets the messages of a kind. */
export type Addressee =
  /** The destination of a subscription: the person who set it up, or a channel. A person needs the role. */
  | { kind: 'subscription'; role: Role }
  /** People and channels that a stored row, a role or a setting names. */
  | { kind: 'named'; by: readonly NamedBy[] }
  /** No reader of its own: it makes one message for each person who has a role. */
  | { kind: 'spread' };

/** A message that ended long ago, as a feature judges whether rows still point at it. */
export type EndedMessage<Payload> = Omit<EndedDelivery, 'payload'> & { payload: Payload };

/** A stored message of a kind. */
export type StoredMessage<Payload> = Omit<Delivery, 'payload'> & { payload: Payload };

/** What becomes of a message when it is about to be sent. */
export type Written =
  /** `memo`: JSON that is kept with the message from before the request leaves. */
  | { kind: 'send'; message: DeclaredMessage; memo?: string }
  /** Replaces an earlier message. `memo` is handed to `whenSent`. */
  | { kind: 'edit'; place: MessagePlace; message: DeclaredMessage; memo?: string }
  | Extract<Preparation, { kind: 'wait' | 'skip' }>;

/** The earlier message that a message edits, or answers in its thread. */
export interface Followed {
  key: string;
  /** In a sentence: `card`. */
  what: string;
  as: 'edit' | 'reply';
}

export type Failure = Extract<Settlement, { state: 'failed' }>;

/** Who learns that a message failed for good, and what they read. */
export type FailureReport =
  | {
      /** Slack id; null: all admins. */
      owner: string | null;
      /** Begins a sentence: `The daily digest of @web-team`. */
      what: string;
      /** A command that shows more: `{ command: '/digest', words: ['show', 'k7m2'] }`; each a plain word. */
      command?: { command: string; words: readonly string[] };
    }
  /** A notice of the feature's own, made by `OwnerNotice.about`. */
  | { owner: string | null; notice: NoticeContent };

/** No notice of its own: another message says it. */
export const COVERED: readonly FailureReport[] = [];

/** The content of an owner notice, with the name of its kind. */
export interface NoticeContent {
  name: string;
  payload: unknown;
}

/** A subscription that no longer brings messages to a person. */
export interface StoppedSubscription {
  /** Slack id of who set it up; null: the settings. */
  owner: string | null;
  /** Names it: `“Monthly budget of @web-team”`, `Messages about unusual days`. */
  what: string;
}

export interface MessageDuties<Payload> {
  /** Reads the facts and writes the message for those who will read it. */
  write(message: StoredMessage<Payload>, reader: Reader, followed: FollowedMessage | undefined): Promise<Written>;
  /** The earlier message that this one edits or answers; the message waits until that one is posted. */
  follows?(payload: Payload): Followed;
  /** Runs in the transaction that records the post or the edit. */
  whenSent?(trx: DatabaseTransaction, message: StoredMessage<Payload>, now: Date): Promise<void>;
  /** Runs in the transaction that records the failure. */
  whenFailed?(trx: DatabaseTransaction, message: StoredMessage<Payload>, failure: Failure, now: Date): Promise<void>;
  /** Who learns of a failure: `COVERED` if another message takes its place. After `whenFailed`, in its transaction. */
  report(
    trx: DatabaseTransaction,
    message: StoredMessage<Payload>,
    failure: Failure,
    now: Date,
  ): Promise<readonly FailureReport[]>;
  /** Runs in the transaction that records that the recipient may not get it: guests, deactivated accounts and others. */
  whenRefused?(trx: DatabaseTransaction, message: StoredMessage<Payload>, now: Date): Promise<void>;
  /** Slack is asked for the role of the person now: for what only some roles may read. Else it may be a minute old. */
  isRoleFresh?: true;
  /** The recipient gets it although they may not use Quartermaster; only for the last sentence to them. */
  isForAnybody?: true;
  /** Of messages that ended long ago, the keys that rows still point at: these are not deleted. */
  keysStillReferenced?(trx: DatabaseTransaction, ended: readonly EndedMessage<Payload>[]): Promise<ReadonlySet<string>>;
}

export interface SubscriptionDuties<Payload> extends MessageDuties<Payload> {
  /**
   * Ends the subscription of a person who may no longer read it, or who pressed *Stop*.
   *
   * @param why a sentence that people see where the subscription is listed; null: the person stopped it
   * @returns undefined if it had ended before
   */
  stop(
    trx: DatabaseTransaction,
    message: StoredMessage<Payload>,
    why: string | null,
    now: Date,
  ): Promise<StoppedSubscription | undefined>;
}

export interface SpreadDuties<Payload> {
  /** Enqueues one message for each person. @returns why nothing is posted by itself, for its history */
  spread(message: StoredMessage<Payload>): Promise<string>;
  report: MessageDuties<Payload>['report'];
}

/** The message that another one follows. */
export interface FollowedMessage {
  place: MessagePlace;
  delivery: Delivery;
}

/** The duties of a kind, for a delivery of any kind. Only a declared kind makes one. */
export interface MessageHandler {
  readonly name: string;
  readonly addressee: Addressee;
  readonly isForAnybody: boolean;
  readonly isRoleFresh: boolean;
  spread?(delivery: Delivery): Promise<string>;
  write?(delivery: Delivery, reader: Reader, followed: FollowedMessage | undefined): Promise<Written>;
  follows?(delivery: Delivery): Followed | undefined;
  whenSent(trx: DatabaseTransaction, delivery: Delivery, now: Date): Promise<void>;
  whenFailed(trx: DatabaseTransaction, delivery: Delivery, failure: Failure, now: Date): Promise<void>;
  report(trx: DatabaseTransaction, delivery: Delivery, failure: Failure, now: Date): Promise<readonly FailureReport[]>;
  whenRefused(trx: DatabaseTransaction, delivery: Delivery, now: Date): Promise<void>;
  stop?(
    trx: DatabaseTransaction,
    delivery: Delivery,
    why: string | null,
    now: Date,
  ): Promise<StoppedSubscription | undefined>;
  keysStillReferenced?(trx: DatabaseTransaction, ended: readonly EndedDelivery[]): Promise<ReadonlySet<string>>;
}
