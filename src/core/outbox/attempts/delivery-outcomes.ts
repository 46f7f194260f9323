import { backOffMs, RATE_LIMITED, waitAskedMs } from '../../base/time/back-off.ts';
import type { DatabaseTransaction } from '../../store/tables.ts';
import type { Settlement } from '../deliveries.ts';
import type { Delivery, EndedDelivery } from '../delivery-table.ts';
import type { MessagePlace, OutgoingMessage, PostOutcome, SearchOutcome } from '../poster.ts';
import type { LostReader } from '../reader.ts';

export type Preparation =
  /** `memo`: JSON about the message, stored with the delivery before the request leaves. */
  | { kind: 'send'; message: OutgoingMessage; memo?: string }
  /** Replaces the content of an earlier message. */
  /** `memo` is handed to `onSettled`. It is not stored, since an interrupted edit is made again. */
  | { kind: 'edit'; place: MessagePlace; message: OutgoingMessage; memo?: string }
  /** Waits, for example because the day is not published. */
  | { kind: 'wait'; until: Date; reason: string }
  | Skip
  /** By Slack’s last answer nobody gets it, but that may pass: it is skipped if Slack still says so a day later. */
  | { kind: 'unconfirmed'; skip: Skip };

/** `lost`: the reader who may no longer get it. `memo`: JSON about what was not sent. */
export interface Skip {
  kind: 'skip';
  reason: string;
  lost?: LostReader;
  memo?: string;
}

/** The message is made from facts that are fresh when it is posted. */
export interface DeliveryKind {
  prepare(delivery: Delivery): Promise<Preparation>;
  /** Runs in the transaction that records how an attempt ended, so that its consequences happen once. */
  onSettled?(trx: DatabaseTransaction, delivery: Delivery, settlement: Settlement, now: Date): Promise<void>;
  /** Ended deliveries that rows of the feature still reference are not deleted. */
  keysStillReferenced?(trx: DatabaseTransaction, ended: readonly EndedDelivery[]): Promise<ReadonlySet<string>>;
}

export interface OutboxTimes {
  /** How long a process may hold a delivery without a sign of life; longer than a post may take. */
  leaseMs: number;
  /**
   * When the history is read after a post whose outcome is unknown, counted from the post: Slack may still be working
   * on it, or show it late. Nothing is posted again before the last of these reads.
   */
  historyReadsAfterMs: readonly number[];
  /** How long an unreadable history is retried. */
  unreadableMs: number;
}

export const OUTBOX_TIMES: OutboxTimes = {
  leaseMs: 60_000,
  historyReadsAfterMs: [10_000, 30_000, 90_000],
  unreadableMs: 30 * 60_000,
};

/** A delivery that fails for passing reasons is given up this long after it was due or first refused. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1000;

const RETRIES = { firstMs: 5_000, longestMs: 10 * 60_000 };
/** Capped so that several retries of an unreadable history fit into `unreadableMs`. */
const MAX_UNREADABLE_RETRY_MS = 2 * 60_000;

const retryDelayMs = (attempt: number) => backOffMs({ ...RETRIES, attempt });

function isGivenUp({ dueAt, createdAt }: Delivery, now: Date, failingSince?: Date): boolean {
  // An event during downtime is due since it happened, although no attempt was made yet.
  const sinceMs = Math.max(Date.parse(dueAt), Date.parse(createdAt), failingSince?.getTime() ?? 0);
  return now.getTime() - sinceMs >= GIVE_UP_AFTER_MS;
}

/**
 * Waits as long as Slack has refused so far, within bounds, so a message is late by at most twice that time. Pure.
 *
 * @example refusalDelayMs(undefined, now) // 5_000, at the first refusal
 */
export function refusalDelayMs(refusedSince: Date | undefined, now: Date, firstMs = RETRIES.firstMs): number {
  const lastedMs = refusedSince ? now.getTime() - refusedSince.getTime() : 0;
  return Math.min(RETRIES.longestMs, Math.max(firstMs, lastedMs));
}

function laterMs(
  { delayMs, askedMs }: Extract<PostOutcome, { kind: 'later' }>,
  now: Date,
  refusedSince: Date | undefined,
): number {
  if (delayMs !== undefined) return delayMs;
  if (askedMs === undefined) return refusalDelayMs(refusedSince, now);
  return waitAskedMs(askedMs, refusalDelayMs(refusedSince, now, RATE_LIMITED.firstMs));
}

/** @param refusedSince since when Slack has refused it without any other outcome in between */
export function settlementOf(
  delivery: Delivery,
  outcome: PostOutcome,
  now: Date,
  { historyReadsAfterMs }: Pick<OutboxTimes, 'historyReadsAfterMs'> = OUTBOX_TIMES,
  refusedSince?: Date,
): Settlement {
  if (outcome.kind === 'posted') return { state: 'sent', channel: outcome.channel, ts: outcome.ts, found: false };
  if (outcome.kind === 'refused') return { state: 'failed', reason: outcome.reason, code: outcome.code };
  if (outcome.kind === 'unknown') {
    return { state: 'unknown', delayMs: historyReadsAfterMs[0] ?? 0, reason: outcome.reason };
  }
  const delayMs = laterMs(outcome, now, refusedSince);
  const { reason } = outcome;
  // A card may wait for more than a day before Slack first refuses it, and a process may be down for longer.
  if (isGivenUp(delivery, now, refusedSince ?? now))
    return { state: 'failed', reason: `Given up after a day: ${reason}` };
  const wait = { ...waitFor(delayMs, reason), isRefusal: true as const };
  return outcome.isForChannel ? { ...wait, restsMs: delayMs } : wait;
}

export function settlementOfSkip(skip: Skip): Settlement {
  const { kind: _, ...skipped } = skip;
  return { state: 'skipped', ...skipped };
}

/** Settles an attempt for which Slack showed no reader: as after a refusal, it is tried again for a day. Pure. */
export function settlementOfUnconfirmed(
  delivery: Delivery,
  skip: Skip,
  now: Date,
  refusedSince: Date | undefined,
): Settlement {
  if (isGivenUp(delivery, now, refusedSince ?? now)) return settlementOfSkip(skip);
  return { ...waitFor(refusalDelayMs(refusedSince, now), skip.reason), isRefusal: true };
}

/** Settles an attempt that posted nothing and needs another one. Pure. */
export function waitFor(delayMs: number, reason: string): Extract<Settlement, { state: 'waiting' }> {
  return { state: 'waiting', delayMs, reason };
}

/** Settles an attempt that failed before its post, so nothing was posted. Pure. */
export function settlementOfFault(delivery: Delivery, reason: string, now: Date): Settlement {
  if (isGivenUp(delivery, now)) return { state: 'failed', reason: `Given up after a day: ${reason}` };
  return waitFor(retryDelayMs(delivery.attempts), reason);
}

/** Slack has no such code: it marks a delivery for which it remains unknown whether it was posted. */
export const OUTCOME_UNKNOWN = 'outcome_unknown';

/**
 * Posts nothing while an unreadable history may become readable; after that a person decides. An outage of Slack ends
 * by itself, and until then no person can read the channel either, so it gets as long as a refusal. Pure.
 */
export function settlementOfUnreadable(
  delivery: Delivery,
  search: Pick<Extract<SearchOutcome, { kind: 'unreadable' }>, 'reason' | 'askedMs' | 'isAway'>,
  storeNow: Date,
  { unreadableMs }: Pick<OutboxTimes, 'unreadableMs'> = OUTBOX_TIMES,
): Settlement {
  const reason = `It is not known whether the message was posted, and the history cannot be read: ${search.reason}`;
  const { unreadableSince: since } = delivery;
  const patienceMs = search.isAway === true ? GIVE_UP_AFTER_MS : unreadableMs;
  if (since !== null && storeNow.getTime() - Date.parse(since) >= patienceMs) {
    return {
      state: 'failed',
      reason: `${reason} Look into the channel, then send it again or leave it.`,
      code: OUTCOME_UNKNOWN,
    };
  }
  const ownMs = Math.min(retryDelayMs(delivery.attempts), MAX_UNREADABLE_RETRY_MS);
  const delayMs = waitAskedMs(search.askedMs, ownMs);
  return { state: 'unknown', delayMs, reason, isUnreadable: true };
}

/**
 * If the history does not show a message that may have been posted, it is read again later, or the message was not
 * posted. Pure.
 *
 * @returns undefined when it may be posted now
 */
export function settlementOfAbsent(
  delivery: Delivery,
  storeNow: Date,
  { historyReadsAfterMs }: Pick<OutboxTimes, 'historyReadsAfterMs'> = OUTBOX_TIMES,
): Settlement | undefined {
  const { lastPostingAt: at } = delivery;
  if (at === null) return undefined;
  const passedMs = storeNow.getTime() - Date.parse(at);
  const nextMs = historyReadsAfterMs.find((readAfterMs) => readAfterMs > passedMs);
  if (nextMs === undefined) return undefined;
  return {
    state: 'unknown',
    delayMs: nextMs - passedMs,
    reason: 'The message may have been posted, and Slack does not show it yet.',
  };
}

/** A delivery this late has a reason, which may be that the store was restored to an earlier state. */
const LATE_MS = 2 * 60_000;

/**
 * Whether a delivery may have been posted although the store has no record of it: a backup was restored, or a failover
 * lost the latest writes. Then the channel's history is read before it is posted. Pure.
 *
 * @param unsureSince when the process started, or the store was last away
 */
export function mayBeMissingFromStore(
  { dueAt, attempts }: Pick<Delivery, 'dueAt' | 'attempts'>,
  unsureSince: Date,
  now: Date,
): boolean {
  const dueMs = Date.parse(dueAt);
  // A retried delivery is late because it waited: two hundred of one morning need not read two hundred histories.
  const isLateForNoReason = attempts <= 1 && now.getTime() - dueMs > LATE_MS;
  return dueMs < unsureSince.getTime() || isLateForNoReason;
}
