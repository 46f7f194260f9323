import { backOffMs } from '../base/time/back-off.ts';
import type { DatabaseTransaction } from '../store/tables.ts';
import type { Settlement } from './deliveries.ts';
import type { Delivery, EndedDelivery } from './delivery-table.ts';
import type { MessagePlace, OutgoingMessage, PostOutcome, SearchOutcome } from './poster.ts';
import type { LostReader } from './reader.ts';

/** What a feature has to say when its delivery is about to be posted. */
export type Preparation =
  /** `memo`: JSON of what is said, kept with the delivery from before the request leaves. */
  | { kind: 'send'; message: OutgoingMessage; memo?: string }
  /** Replaces what an earlier message says. */
  /** `memo` is handed to `onSettled`; it is not kept, since an edit that was interrupted is made again. */
  | { kind: 'edit'; place: MessagePlace; message: OutgoingMessage; memo?: string }
  /** Not yet, for example because the day is not published. */
  | { kind: 'wait'; until: Date; reason: string }
  /** `lost`: its reader may no longer get it. */
  | { kind: 'skip'; reason: string; lost?: LostReader };

/** A feature's part in a delivery: making its message from facts that are fresh when it is posted. */
export interface DeliveryKind {
  prepare(delivery: Delivery): Promise<Preparation>;
  /** Called in the transaction that notes how an attempt ended: what follows from it happens once. */
  onSettled?(trx: DatabaseTransaction, delivery: Delivery, settlement: Settlement, now: Date): Promise<void>;
  /** Of some that ended long ago, the keys of those that the feature still points at: these are not deleted. */
  findNeeded?(trx: DatabaseTransaction, ended: readonly EndedDelivery[]): Promise<ReadonlySet<string>>;
}

export interface OutboxTimes {
  /** How long a process may hold a delivery without a sign of life. Longer than a post may take. */
  leaseMs: number;
  /**
   * When the history is looked at after a post whose outcome is not known, counted from the post: Slack may still be at work
   * on it, or show it late. Only after the last look is anything posted again.
   */
  looksAfterMs: readonly number[];
  /** How long a history that cannot be read is waited for. */
  unreadableMs: number;
}

export const OUTBOX_TIMES: OutboxTimes = {
  leaseMs: 60_000,
  looksAfterMs: [10_000, 30_000, 90_000],
  unreadableMs: 30 * 60_000,
};

/** A delivery that keeps failing in ways that may pass is given up this long after it was due, or first refused. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1000;

const RETRIES = { firstMs: 5_000, longestMs: 10 * 60_000 };
/** After an unreadable history there are only so many minutes. */
const MAX_UNREADABLE_RETRY_MS = 2 * 60_000;

const retryDelayMs = (attempt: number) => backOffMs({ ...RETRIES, attempt });

function isGivenUp({ due_at: dueAt, created_at: createdAt }: Delivery, now: Date, failingSince?: Date): boolean {
  // What happened while the process was down is due since it happened, and nobody has tried it yet.
  const sinceMs = Math.max(Date.parse(dueAt), Date.parse(createdAt), failingSince?.getTime() ?? 0);
  return now.getTime() - sinceMs >= GIVE_UP_AFTER_MS;
}

/**
 * How long a refusal that may pass is waited for: as long as it has lasted so far, within bounds. So a message comes at most
 * as late again as Slack refused it. Pure.
 *
 * @example refusalDelayMs(undefined, now) // 5_000, at the first refusal
 */
export function refusalDelayMs(refusedSince: Date | undefined, now: Date): number {
  const lastedMs = refusedSince ? now.getTime() - refusedSince.getTime() : 0;
  return Math.min(RETRIES.longestMs, Math.max(RETRIES.firstMs, lastedMs));
}

/**
 * What a post’s outcome means for its delivery. Pure.
 *
 * @param refusedSince since when it could not be posted, without anything else in between
 */
export function settlementOf(
  delivery: Delivery,
  outcome: PostOutcome,
  now: Date,
  { looksAfterMs }: Pick<OutboxTimes, 'looksAfterMs'> = OUTBOX_TIMES,
  refusedSince?: Date,
): Settlement {
  if (outcome.kind === 'posted') return { state: 'sent', channel: outcome.channel, ts: outcome.ts, found: false };
  if (outcome.kind === 'refused') return { state: 'failed', reason: outcome.reason, code: outcome.code };
  if (outcome.kind === 'unknown') {
    return { state: 'unknown', delayMs: looksAfterMs[0] ?? 0, reason: outcome.reason };
  }
  const { delayMs = refusalDelayMs(refusedSince, now), reason } = outcome;
  // A card may have waited for more than a day before Slack first refuses it, and a process may have been down for longer.
  if (isGivenUp(delivery, now, refusedSince ?? now))
    return { state: 'failed', reason: `Given up after a day: ${reason}` };
  const wait = { ...waitFor(delayMs, reason), isRefusal: true as const };
  return outcome.isForChannel ? { ...wait, restsMs: delayMs } : wait;
}

/** What it means that this attempt posted nothing and another has to follow. Pure. */
export function waitFor(delayMs: number, reason: string): Extract<Settlement, { state: 'waiting' }> {
  return { state: 'waiting', delayMs, reason };
}

/** What a failure before the post means: nothing was posted by this attempt. Pure. */
export function settlementOfFault(delivery: Delivery, reason: string, now: Date): Settlement {
  if (isGivenUp(delivery, now)) return { state: 'failed', reason: `Given up after a day: ${reason}` };
  return waitFor(retryDelayMs(delivery.attempts), reason);
}

/** Slack has no such code: it is ours for a delivery of which it stays unknown whether it was posted. */
export const OUTCOME_UNKNOWN = 'outcome_unknown';

/**
 * What an unreadable history means: nothing is posted while it may be read later, and after that a person decides. An outage of
 * Slack ends by itself, and until then no person can look into the channel either, so it gets as long as a refusal. Pure.
 *
 * @param storeNow by the time of the store
 */
export function settlementOfUnreadable(
  delivery: Delivery,
  search: Pick<Extract<SearchOutcome, { kind: 'unreadable' }>, 'reason' | 'retryAfterMs' | 'isAway'>,
  storeNow: Date,
  { unreadableMs }: Pick<OutboxTimes, 'unreadableMs'> = OUTBOX_TIMES,
): Settlement {
  const reason = `It is not known whether the message was posted, and the history cannot be read: ${search.reason}`;
  const { unreadable_since: since } = delivery;
  const patienceMs = search.isAway === true ? GIVE_UP_AFTER_MS : unreadableMs;
  if (since !== null && storeNow.getTime() - Date.parse(since) >= patienceMs) {
    return {
      state: 'failed',
      reason: `${reason} Look into the channel, then send it again or leave it.`,
      code: OUTCOME_UNKNOWN,
    };
  }
  const delayMs = search.retryAfterMs ?? Math.min(retryDelayMs(delivery.attempts), MAX_UNREADABLE_RETRY_MS);
  return { state: 'unknown', delayMs, reason, isUnreadable: true };
}

/**
 * What it means that the history does not show a message that may have been posted: it is looked at again, or it was not
 * posted. Pure.
 *
 * @param storeNow by the time of the store
 * @returns nothing when it may be posted now
 */
export function settlementOfAbsent(
  delivery: Delivery,
  storeNow: Date,
  { looksAfterMs }: Pick<OutboxTimes, 'looksAfterMs'> = OUTBOX_TIMES,
): Settlement | undefined {
  const { last_posting_at: at } = delivery;
  if (at === null) return undefined;
  const passedMs = storeNow.getTime() - Date.parse(at);
  const nextMs = looksAfterMs.find((lookMs) => lookMs > passedMs);
  if (nextMs === undefined) return undefined;
  return {
    state: 'unknown',
    delayMs: nextMs - passedMs,
    reason: 'The message may have been posted, and Slack does not show it yet.',
  };
}

/** What was due so long ago comes late for a reason, which may be that the store was set back. */
const LATE_MS = 2 * 60_000;

/**
 * Whether a delivery may have been posted although the store knows nothing of it: a backup was restored, or a failover lost
 * what was written last. Then its channel is looked into before it is posted. Pure.
 *
 * @param unsureSince when the process started, or the store was last away
 */
export function mayBeForgotten(
  { due_at: dueAt, attempts }: Pick<Delivery, 'due_at' | 'attempts'>,
  unsureSince: Date,
  now: Date,
): boolean {
  const dueMs = Date.parse(dueAt);
  // One that was tried before is late because it waited; two hundred of a morning need not read two hundred histories.
  const isLateForNoReason = attempts <= 1 && now.getTime() - dueMs > LATE_MS;
  return dueMs < unsureSince.getTime() || isLateForNoReason;
}
