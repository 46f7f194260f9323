import type { SectionReading } from '../feature.ts';

/** How often the platform is asked again while a day is not published. */
const ASK_AGAIN_MS = 10 * 60_000;
/** A digest waits at most this long for its day; then it is sent with a plain mark. */
const LONGEST_WAIT_MS = 6 * 60 * 60_000;

export type DigestDecision = { kind: 'send'; isComplete: boolean } | { kind: 'wait'; until: Date; reason: string };

/**
 * Decides whether a digest is sent now. Pure.
 *
 * @param plannedAt when it was put into the outbox; the wait is counted from then
 * @example decideDigest([{ kind: 'unpublished', … }], plannedAt, now) // { kind: 'wait', until: in ten minutes, … }
 */
export function decideDigest(
  readings: readonly Pick<SectionReading, 'kind'>[],
  plannedAt: Date,
  now: Date,
): DigestDecision {
  const isComplete = readings.every((reading) => reading.kind === 'ready');
  const deadline = plannedAt.getTime() + LONGEST_WAIT_MS;
  if (isComplete || now.getTime() >= deadline) return { kind: 'send', isComplete };
  const reason = readings.some((reading) => reading.kind === 'unreadable')
    ? 'The platform could not be read.'
    : 'The platform had not published the day.';
  return { kind: 'wait', until: new Date(Math.min(now.getTime() + ASK_AGAIN_MS, deadline)), reason };
}
