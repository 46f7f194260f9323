import { chanceOf, likelyRange, type Pace, paceOf, type SumAhead } from '../../core/figures/insight/pace.ts';
import { daysOf, plusDays, type Day, type Period } from '../../core/base/time/calendar.ts';

/** Farther ahead the level of a person drifts too far for a range. */
const MAX_DAYS_OF_RANGE = 31;
/**
 * “It lasts” needs a chance of reaching the limit up to the first, by each course that is possible; “you reach it” one
 * from the second on. Otherwise it is too close to say. People whose weeks differ more use few days for much, so they need more.
 */
const [MOST_TO_LAST, LEAST_TO_REACH] = [0.2, 0.41];
const SAFE_UNCERTAINTY = 0.3;
const MORE_FOR_UNCERTAINTY = 0.56;

/** The expected course of a period, compared with a limit that counts from its first day. */
export type Outlook =
  | { kind: 'over' }
  /** Exactly the limit is used. */
  | { kind: 'used_up' }
  /** `earliest` to `latest` is the likely range; without a `latest` it may be after the end of the period. */
  | { kind: 'reached'; on: Day; earliest: Day; latest: Day | undefined }
  /** `idleDays`: the person stopped that long ago, so no further use is expected. */
  | { kind: 'lasts'; byEnd: number; likely: { lower: number; upper: number } | undefined; idleDays?: number }
  /**
   * Too little is known: there are too few days, the person has just paused, or both results are about equally likely.
   */
  | { kind: 'open'; why: 'few_days' }
  | { kind: 'open'; why: 'paused'; idleDays: number }
  | { kind: 'open'; why: 'close'; likely: { lower: number; upper: number } };

export interface OwnUse {
  /** The whole period over which the limit counts. */
  period: Period;
  /** The last published day. It may be before the period. */
  through: Day;
  /** The credits of the published days of the period. */
  used: number;
  /** The credits of each of the last days, oldest first, through the last published one. */
  days: readonly number[];
}

/** Adds the pace of each remaining day to the credits used. Pure. */
export function outlookOf({ period, through, used, days }: OwnUse, limit: number): Outlook {
  if (used > limit) return { kind: 'over' };
  if (used === limit) return { kind: 'used_up' };
  if (through >= period.last) return { kind: 'lasts', byEnd: used, likely: undefined };
  const pace = paceOf(days);
  if (!pace) return { kind: 'open', why: 'few_days' };
  const { idleDays } = pace;
  if (pace.kind === 'stopped') return { kind: 'lasts', byEnd: used, likely: undefined, idleDays };
  const sums = sumsAhead({ period, through, used }, pace);
  const last = sums.at(-1);
  if (!last) return { kind: 'lasts', byEnd: used, likely: undefined };
  const probability = chanceOf(limit - used, last.rest);
  const uncertainty = Math.max(0, last.rest.deviation / last.rest.mean - SAFE_UNCERTAINTY);
  const hasRange = sums.length <= MAX_DAYS_OF_RANGE;
  const likely = hasRange ? { lower: last.lower, upper: last.upper } : undefined;
  if (Math.max(...last.rest.courses.map((course) => chanceOf(limit - used, course))) <= MOST_TO_LAST)
    return { kind: 'lasts', byEnd: last.middle, likely };
  if (pace.kind === 'paused') return { kind: 'open', why: 'paused', idleDays };
  const firstFrom = (measure: (sum: SumByDay) => number) => sums.find((sum) => measure(sum) >= limit)?.day;
  const on = firstFrom(({ middle }) => middle);
  if (on === undefined || probability < LEAST_TO_REACH + MORE_FOR_UNCERTAINTY * uncertainty)
    return { kind: 'open', why: 'close', likely: { lower: last.lower, upper: last.upper } };
  if (on > plusDays(through, MAX_DAYS_OF_RANGE)) return { kind: 'reached', on, earliest: on, latest: on };
  const earliest = firstFrom(({ upper }) => upper) ?? on;
  return { kind: 'reached', on, earliest, latest: firstFrom(({ lower }) => lower) };
}

/** Parts of a credit: sums of shares would miss a limit by their last bit. */
const PRECISION = 1_000;

const rounded = (amount: number) => Math.round(Math.max(0, amount) * PRECISION) / PRECISION;

/** Returns the expected credits of the period by the end of each day after the last published one, with their range. */
export function sumsAhead({ period, through, used }: Omit<OwnUse, 'days'>, pace: Pace): SumByDay[] {
  const days = daysOf({ first: plusDays(through, 1), last: period.last });
  const ofPeriod = days.filter((day) => day >= period.first);
  const sums = pace.sumsAhead(days.length - ofPeriod.length, ofPeriod.length);
  return ofPeriod.map((day, index) => {
    const rest = sums[index] ?? { mean: 0, deviation: 0, courses: [] };
    const { lower, upper } = likelyRange(rest);
    return { day, rest, middle: used + rounded(rest.mean), lower: used + rounded(lower), upper: used + rounded(upper) };
  });
}

interface SumByDay {
  day: Day;
  rest: SumAhead;
  middle: number;
  lower: number;
  upper: number;
}
