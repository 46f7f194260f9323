import type { Selectable } from 'kysely';

/**
 * The states of a delivery.
 *
 * `waiting`: to be tried at `next_attempt_at`. `claimed`: a replica prepares the message under a lease. `posting`: the
 * request to Slack may be on its way. `unknown`: it may have arrived; the channel's history decides. The rest are ends.
 */
export type DeliveryState = 'waiting' | 'claimed' | 'posting' | 'unknown' | 'sent' | 'skipped' | 'failed';

/** All times are ISO 8601 in UTC with milliseconds, so that they sort as text on both engines. */
export interface DeliveryTable {
  key: string;
  kind: string;
  /** Where it goes: a channel id, or a user id for a direct message. */
  channel: string;
  payload: string;
  state: DeliveryState;
  due_at: string;
  next_attempt_at: string;
  leased_by: string | null;
  leased_until: string | null;
  attempts: number;
  first_posting_at: string | null;
  /** When a request last was about to leave whose message may stand in the channel; by the time of the store. */
  last_posting_at: string | null;
  /** Until when nothing else is posted in its channel: Slack’s pace, or as long as Slack asked. */
  channel_rests_until: string | null;
  /** Since when the channel’s history could not be read. */
  unreadable_since: string | null;
  sent_at: string | null;
  message_channel: string | null;
  message_ts: string | null;
  reason: string | null;
  created_at: string;
  /** What the feature notes about what was said: JSON whose shape it knows. */
  memo: string | null;
  /** The id of the thing that it is about; empty: nothing finds it by that. Null: written by a version before 0.3.0. */
  about: string | null;
  /** Which of the messages about that thing it is. */
  slot: string | null;
  /** Of a message that answers in a thread: the thread. */
  thread_channel: string | null;
  thread_ts: string | null;
}

export interface DeliveryHistoryTable {
  delivery_key: string;
  /** 0, 1, 2 …: steps may share a millisecond. */
  position: number;
  at: string;
  step: string;
  detail: string | null;
}

/** One row for each delivery that was deleted. */
export interface ForgottenDeliveryTable {
  key_hash: string;
}

declare module '../store/tables.ts' {
  interface Tables {
    deliveries: DeliveryTable;
    delivery_history: DeliveryHistoryTable;
    forgotten_deliveries: ForgottenDeliveryTable;
  }
}

export type Delivery = Selectable<DeliveryTable>;

/** Whether a delivery has not ended: its message may still be posted. Pure. */
export const isOpen = ({ state }: Pick<Delivery, 'state'>): boolean =>
  state !== 'sent' && state !== 'skipped' && state !== 'failed';

/** One that is at an end, as a feature judges whether it still points at it. */
export type EndedDelivery = Pick<Delivery, 'key' | 'payload' | 'about'>;
