import type { DatabaseTransaction } from '../store/database.ts';
import type { Settlement } from './deliveries.ts';
import type { Delivery } from './delivery-table.ts';
import type { MessagePlace, OutgoingMessage, PostOutcome } from './poster.ts';

/** What a feature has to say when its delivery is about to be posted. */
export type Preparation =
  /** `memo`: JSON of what is said, kept with the delivery from before the request leaves. */
  | { kind: 'send'; message: OutgoingMessage; memo?: string }
  /** Replaces what an earlier message says. */
  /** `memo` is handed to `onSettled`; it is not kept, since an edit that was interrupted is made anew. */
  | { kind: 'edit'; place: MessagePlace; message: OutgoingMessage; memo?: string }
  /** Not yet, for example because the day is not published. */
  | { kind: 'wait'; until: Date; reason: string }
  | { kind: 'skip'; reason: string };

/** A feature's part in a delivery: making its message from facts that are fresh when it is posted. */
export interface DeliveryKind {
  prepare(delivery: Delivery): Promise<Preparation>;
  /** Called in the transaction that notes how an attempt ended: what follows from it happens once. */
  onSettled?(trx: DatabaseTransaction, delivery: Delivery, settlement: Settlement, now: Date): Promise<void>;
}

/**
 * After an unknown outcome the history is read no sooner than this, because Slack may still be at work on the post whose
 * answer was lost.
 */
const SETTLE_DELAY_MS = 10_000;

/** A delivery that keeps failing in ways that may pass is given up this long after it was due. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1000;

const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 10 * 60_000;

/**
 * How long to wait before the next attempt: 5 s, 10 s, 20 s … up to 10 minutes.
 *
 * @param attempts how many there were so far, from 1
 */
function retryDelayMs(attempts: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(20, Math.max(0, attempts - 1)));
}

function isGivenUp(delivery: Delivery, now: Date): boolean {
  return now.getTime() - new Date(delivery.due_at).getTime() >= GIVE_UP_AFTER_MS;
}

/** What a post’s outcome means for its delivery. Pure. */
export function settlementOf(delivery: Delivery, outcome: PostOutcome, now: Date): Settlement {
  if (outcome.kind === 'posted') return { state: 'sent', channel: outcome.channel, ts: outcome.ts, found: false };
  if (outcome.kind === 'refused') return { state: 'failed', reason: outcome.reason, code: outcome.code };
  if (outcome.kind === 'unknown') {
    return { state: 'unknown', until: new Date(now.getTime() + SETTLE_DELAY_MS), reason: outcome.reason };
  }
  if (isGivenUp(delivery, now)) return { state: 'failed', reason: `Given up after a day: ${outcome.reason}` };
  return waitUntil(delivery, new Date(now.getTime() + outcome.delayMs), outcome.reason);
}

/**
 * What it means that this attempt posted nothing and another has to follow. Where an earlier one may have posted, that stays
 * noted: Slack may show its message late, and one more look into the history costs little. Pure.
 */
export function waitUntil(delivery: Delivery, until: Date, reason: string): Settlement {
  return { state: 'waiting', until, reason, mayHaveArrived: delivery.first_posting_at !== null };
}

/** What a failure before the post means: nothing was posted by this attempt. Pure. */
export function settlementOfFault(delivery: Delivery, reason: string, now: Date): Settlement {
  if (isGivenUp(delivery, now)) return { state: 'failed', reason: `Given up after a day: ${reason}` };
  return waitUntil(delivery, new Date(now.getTime() + retryDelayMs(delivery.attempts)), reason);
}

/** What an unreadable history means: the outcome stays unknown, and nothing is posted. Pure. */
export function settlementOfUnreadable(
  delivery: Delivery,
  search: { reason: string; retryAfterMs?: number },
  now: Date,
): Settlement {
  const reason = `It is not known whether the message was posted: ${search.reason}`;
  if (isGivenUp(delivery, now)) return { state: 'failed', reason };
  const delayMs = search.retryAfterMs ?? retryDelayMs(delivery.attempts);
  return { state: 'unknown', until: new Date(now.getTime() + delayMs), reason };
}
