import type { DatabaseTransaction } from '../store/tables.ts';
import type { Preparation } from './attempts/delivery-outcomes.ts';
import type { Settlement } from './deliveries.ts';
import type { Delivery, EndedDelivery } from './delivery-table.ts';
import type { Role } from '../base/roles.ts';
import type { DeclaredMessage, MessagePlace } from './poster.ts';
import type { Reader } from './reader.ts';

export type Addressee =
  /** The destination of a subscription: the person who set it up, or a channel. A person needs the role. */
  | { kind: 'subscription'; role: Role }
  /** People and channels that a stored row, a role or a setting names. */
  | { kind: 'named'; by: readonly string[] }
  /** A kind without a reader of its own: it makes one message for each person who has a role. */
  | { kind: 'spread' };

export type EndedMessage<Payload> = Omit<EndedDelivery, 'payload'> & { payload: Payload };

export type StoredMessage<Payload> = Omit<Delivery, 'payload'> & { payload: Payload };

export type WriteDecision =
  /** `memo`: JSON that is stored with the message before the request leaves. */
  | { kind: 'send'; message: DeclaredMessage; memo?: string }
  /** Replaces an earlier message. `memo` is handed to `whenSent`. */
  | { kind: 'edit'; place: MessagePlace; message: DeclaredMessage; memo?: string }
  | Extract<Preparation, { kind: 'wait' | 'skip' | 'unconfirmed' }>;

export interface EarlierMessageReference {
  key: string;
  /** A noun within a sentence: `card`. */
  what: string;
  as: 'edit' | 'reply';
}

export type Failure = Extract<Settlement, { state: 'failed' }>;

/** Several messages may fail at once, in transactions that don't see each other: `once` names what they are about. */
export type FailureReport = { once?: string } & (
  | {
      /** Slack id; null: all admins. */
      owner: string | null;
      /** Begins a sentence: `The daily digest of @web-team`. */
      what: string;
      /** A command that shows more: `{ command: '/digest', words: ['show', 'k7m2'] }`. Each word is plain. */
      command?: { command: string; words: readonly string[] };
    }
  /** A notice of the feature's own, made by `OwnerNotice.about`. */
  | { owner: string | null; notice: NoticeContent }
);

/** Another message reports the failure. */
export const COVERED: readonly FailureReport[] = [];

export interface NoticeContent {
  name: string;
  payload: unknown;
}

export interface StoppedSubscription {
  /** Slack id of the person who set it up; null: the settings. */
  owner: string | null;
  /** Names it: `“Monthly budget of @web-team”`, `Messages about unusual days`. */
  what: string;
}

export interface MessageDuties<Payload> {
  write(
    message: StoredMessage<Payload>,
    reader: Reader,
    earlierMessage: EarlierMessage | undefined,
  ): Promise<WriteDecision>;
  follows?(payload: Payload): EarlierMessageReference;
  /** Whether a person paused its subscription: then it waits, except as an edit of an earlier message. */
  isPaused?(message: StoredMessage<Payload>): Promise<boolean>;
  /** Runs in the transaction that records the post or the edit. */
  whenSent?(trx: DatabaseTransaction, message: StoredMessage<Payload>, now: Date): Promise<void>;
  /** Runs in the transaction that records the failure. */
  whenFailed?(trx: DatabaseTransaction, message: StoredMessage<Payload>, failure: Failure, now: Date): Promise<void>;
  /** Runs after `whenFailed`, in its transaction. `COVERED`: another message covers the failure. */
  report(
    trx: DatabaseTransaction,
    message: StoredMessage<Payload>,
    failure: Failure,
    now: Date,
  ): Promise<readonly FailureReport[]>;
  /** Runs in the transaction that records that the recipient may not get it, such as a guest or a closed account. */
  whenRefused?(trx: DatabaseTransaction, message: StoredMessage<Payload>, now: Date): Promise<void>;
  /** Only some roles may read it, so Slack is asked for the role now. Else it may be a minute old. */
  isRoleFresh?: true;
  /** The recipient gets it even without access to Quartermaster; only for the last sentence to them. */
  isForAnybody?: true;
  /** Ended messages that rows still reference are not deleted. */
  keysStillReferenced?(trx: DatabaseTransaction, ended: readonly EndedMessage<Payload>[]): Promise<ReadonlySet<string>>;
}

export interface SubscriptionDuties<Payload> extends MessageDuties<Payload> {
  /**
   * Ends the subscription of a person who lost access or pressed *Stop*.
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
  /** @returns why this message posts nothing itself, for its history; undefined if Slack names nobody who gets it now */
  spread(message: StoredMessage<Payload>): Promise<string | undefined>;
  report: MessageDuties<Payload>['report'];
}

export interface EarlierMessage {
  place: MessagePlace;
  delivery: Delivery;
}
