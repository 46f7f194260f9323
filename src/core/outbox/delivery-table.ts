import type { Selectable } from 'kysely';

/**
 * `waiting`: tried at `nextAttemptAt`. `claimed`: a replica prepares the message under a lease. `posting`: the
 * request to Slack may be on its way. `unknown`: it may have arrived; the channel's history decides. The others are
 * final.
 */
export type DeliveryState = 'waiting' | 'claimed' | 'posting' | 'unknown' | 'sent' | 'skipped' | 'failed';

/** All times are ISO 8601 in UTC with milliseconds, so that they sort as text on both engines. */
export interface DeliveryTable {
  key: string;
  kind: string;
  /** A channel id, or a user id for a direct message. */
  channel: string;
  payload: string;
  state: DeliveryState;
  dueAt: string;
  nextAttemptAt: string;
  /** While it waits: the process that enqueued or tried it, which has the first right to the next attempt. */
  leasedBy: string | null;
  leasedUntil: string | null;
  attempts: number;
  firstPostingAt: string | null;
  /** When the last post that may have reached the channel was about to leave; by the time of the store. */
  lastPostingAt: string | null;
  /** Until when nothing else is posted in its channel: Slack’s pace, or the pause that Slack demanded. */
  channelRestsUntil: string | null;
  unreadableSince: string | null;
  sentAt: string | null;
  messageChannel: string | null;
  messageTs: string | null;
  reason: string | null;
  createdAt: string;
  /** JSON whose shape only the feature knows. */
  memo: string | null;
  /** The id of the subject; empty: not findable by it. Null: written by a version before 0.3.0. */
  about: string | null;
  slot: string | null;
  threadChannel: string | null;
  threadTs: string | null;
}

export interface DeliveryHistoryTable {
  deliveryKey: string;
  /** 0, 1, 2 …: steps may share a millisecond. */
  position: number;
  at: string;
  step: string;
  detail: string | null;
}

export interface ForgottenDeliveryTable {
  keyHash: string;
}

declare module '../store/tables.ts' {
  interface Tables {
    deliveries: DeliveryTable;
    deliveryHistory: DeliveryHistoryTable;
    forgottenDeliveries: ForgottenDeliveryTable;
  }
}

export type Delivery = Selectable<DeliveryTable>;

export const isOpen = ({ state }: Pick<Delivery, 'state'>): boolean =>
  state !== 'sent' && state !== 'skipped' && state !== 'failed';

export type EndedDelivery = Pick<Delivery, 'key' | 'payload' | 'about'>;
