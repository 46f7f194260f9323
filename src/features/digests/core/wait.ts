import type { SectionReading } from '../../../core/feature.ts';
import { plusDays, type Day } from '../../../core/base/time/calendar.ts';
import { HOUR_MS } from '../../../core/base/time/durations.ts';

/** The interval of checks while a day is not published, and the maximum interval while it cannot be read. */
const ASK_AGAIN_MS = 10 * 60_000;
/** A platform that cannot be read often recovers soon. */
const FIRST_RETRY_MS = 30_000;
/** A digest waits at most this long for its days; then it is sent with a note about the missing ones. */
const MAX_WAIT_MS = 6 * HOUR_MS;

/** Digests with this reason are tried again as soon as the platform recovers. */
export const UNREADABLE = 'The platform could not be read.';
const UNPUBLISHED = 'The platform had not published the day.';

export const isUnpublished = (reason: string | null) => reason === UNPUBLISHED;

/** Whether a digest waits for its days, not for Slack. */
export const isWaitForDays = (reason: string | null) => reason === UNREADABLE || reason === UNPUBLISHED;

/** Decides when a part of a digest whose figures cannot be read is tried again. @param since the start of the wait */
export function askAgain(since: Date, now: Date): Extract<DigestDecision, { kind: 'wait' }> {
  return { kind: 'wait', until: new Date(now.getTime() + retryMs(since, now)), reason: UNREADABLE };
}

/** The pause equals the wait so far, so pauses double. */
function retryMs(since: Date, now: Date): number {
  return Math.min(ASK_AGAIN_MS, Math.max(FIRST_RETRY_MS, now.getTime() - since.getTime()));
}

export type DigestDecision = { kind: 'send'; isComplete: boolean } | { kind: 'wait'; until: Date; reason: string };

/** The wait cannot start before the last day is over, because no day is published earlier. */
export function waitsSince(plannedAt: Date, dueAt: Date, lastDay: Day): Date {
  const overAt = new Date(`${plusDays(lastDay, 1)}T00:00:00Z`);
  return new Date(Math.max(plannedAt.getTime(), dueAt.getTime(), overAt.getTime()));
}

export const latestSending = (since: Date): Date => new Date(since.getTime() + MAX_WAIT_MS);

/** @example decideDigest([{ kind: 'unpublished', … }], since, now) // { kind: 'wait', until: in ten minutes, … } */
export function decideDigest(
  readings: readonly Pick<SectionReading, 'kind'>[],
  since: Date,
  now: Date,
): DigestDecision {
  const isComplete = readings.every((reading) => reading.kind === 'ready');
  const deadline = latestSending(since).getTime();
  if (isComplete || now.getTime() >= deadline) return { kind: 'send', isComplete };
  const isUnreadable = readings.some((reading) => reading.kind === 'unreadable');
  const delayMs = isUnreadable ? retryMs(since, now) : ASK_AGAIN_MS;
  const until = new Date(Math.min(now.getTime() + delayMs, deadline));
  return { kind: 'wait', until, reason: isUnreadable ? UNREADABLE : UNPUBLISHED };
}
