import type { SectionReading } from '../../../core/feature.ts';
import { DAY_MS, HOUR_MS } from '../../../core/base/time/durations.ts';
import type { DigestSettings } from '../core/settings.ts';

/** After this long without a digest, its readers could think that it is broken. */
const MAX_SILENCE_MS = 7 * DAY_MS;
/** A clock change moves a morning by an hour. */
const CLOCK_CHANGE_MS = HOUR_MS;

export const QUIET = 'Nothing needed attention.';

/** Whether a digest has something to say: a day out of the ordinary, a passed budget mark, a weaker setting or a fault. */
export const needsAttention = (readings: readonly SectionReading[]): boolean =>
  readings.some(
    (reading) => reading.kind !== 'ready' || reading.needsAttention === true || reading.withheld !== undefined,
  );

/**
 * Decides whether a digest is sent, skipped because nothing needs attention, or replaced by one line after a week of
 * silence. Pure.
 *
 * @param lastSign the last digest or line that was sent, or the time at which the digest was set up
 * @param nextDueAt the morning after this one: the line comes before the silence is too long
 */
export function decideQuiet(
  { send, cadence }: Pick<DigestSettings, 'send' | 'cadence'>,
  { isNeeded, nextDueAt, lastSign }: { isNeeded: boolean; nextDueAt: Date; lastSign: Date },
): 'send' | 'skip' | 'sign_of_life' {
  const mayBeQuiet = send === 'when_needed' && (cadence === 'daily' || cadence === 'weekdays');
  if (!mayBeQuiet || isNeeded) return 'send';
  const isLong = nextDueAt.getTime() - lastSign.getTime() > MAX_SILENCE_MS + CLOCK_CHANGE_MS;
  return isLong ? 'sign_of_life' : 'skip';
}
