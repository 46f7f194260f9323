import type { SectionReading } from '../../feature.ts';
import { plusDays, type Day } from '../../base/time/calendar.ts';
import { HOUR_MS } from '../../base/time/durations.ts';

/** How often the platform is asked again while a day is not published, and at least while it cannot be read. */
const ASK_AGAIN_MS = 10 * 60_000;
/** A platform that cannot be read is often well again soon. */
const FIRST_RETRY_MS = 30_000;
/** A digest waits at most this long for its day; then it is sent with a plain mark. */
const MAX_WAIT_MS = 6 * HOUR_MS;

/** Digests with this reason are tried again at once when the platform recovers. */
export const UNREADABLE = 'The platform could not be read.';
const UNPUBLISHED = 'The platform had not published the day.';

/** Its day is not there yet, and nothing else is wrong. */
export const isUnpublished = (reason: string | null) => reason === UNPUBLISHED;

/** Does it wait for its days, and not for Slack? */
export const isWaitForDays = (reason: string | null) => reason === UNREADABLE || reason === UNPUBLISHED;

/** What it means for a part of a digest that its figures cannot be read now. @param since it waits since then */
export function askAgain(since: Date, now: Date): Extract<DigestDecision, { kind: 'wait' }> {
  return { kind: 'wait', until: new Date(now.getTime() + retryMs(since, now)), reason: UNREADABLE };
}

/** As long as it has waited so far, so that the pauses double. */
function retryMs(since: Date, now: Date): number {
  return Math.min(ASK_AGAIN_MS, Math.max(FIRST_RETRY_MS, now.getTime() - since.getTime()));
}

export type DigestDecision = { kind: 'send'; isComplete: boolean } | { kind: 'wait'; until: Date; reason: string };

/**
 * From when a digest's wait for its days counts: from when it was put into the outbox or was due, but no day is published
 * before it is over.
 */
export function waitsSince(plannedAt: Date, dueAt: Date, lastDay: Day): Date {
  const overAt = new Date(`${plusDays(lastDay, 1)}T00:00:00Z`);
  return new Date(Math.max(plannedAt.getTime(), dueAt.getTime(), overAt.getTime()));
}

/** When a digest that waits for its days since then is sent, whatever is there. */
export function latestSending(since: Date): Date {
  return new Date(since.getTime() + MAX_WAIT_MS);
}

/**
 * Decides whether a digest is sent now. Pure.
 *
 * @param since the wait is counted from then
 * @example decideDigest([{ kind: 'unpublished', … }], since, now) // { kind: 'wait', until: in ten minutes, … }
 */
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
