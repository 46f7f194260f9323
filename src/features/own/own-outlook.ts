import { meanOf, studentQuantile } from '../../core/base/statistics.ts';
import { DAYS_IN_A_WEEK, daysOf, plusDays, type Day, type Period } from '../../core/base/time/calendar.ts';

/** The pace is the mean of this many weeks, in each of which each weekday counts once. */
const WEEKS_OF_PACE = 4;
/** With fewer days, hardly any weekday occurred twice. */
export const LEAST_DAYS = 14;
/** With fewer weeks, the spread between weeks is unknown. */
const LEAST_WEEKS_OF_RANGE = 3;
/** Farther ahead the level of a person drifts: in trials, a range held for fewer than 70 %. */
const MAX_DAYS_OF_RANGE = 31;
/** The normal quantile of the 90th percentile: 80 % lie between it and the 10th. */
const NORMAL_REACH = 1.2816;

/** The expected course of a period, compared with a limit that counts from its first day. */
export type Outlook =
  | { kind: 'over' }
  /** Exactly the limit is used. */
  | { kind: 'used_up' }
  /** `earliest` to `latest` is the likely range; without a `latest` it may be after the end of the period. */
  | { kind: 'reached'; on: Day; earliest: Day; latest: Day | undefined }
  | { kind: 'lasts'; byEnd: number; likely: { lower: number; upper: number } | undefined }
  /** There are too few days for an outlook. */
  | { kind: 'open' };

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

/**
 * Forecasts each remaining day by the same weekday of the last weeks, so a Sunday without work does not slow the pace.
 * The range comes from the spread between whole weeks, in proportion to the remaining days. Pure.
 */
export function outlookOf({ period, through, used, days }: OwnUse, limit: number): Outlook {
  if (used > limit) return { kind: 'over' };
  if (used === limit) return { kind: 'used_up' };
  if (through >= period.last) return { kind: 'lasts', byEnd: used, likely: undefined };
  const pace = paceOf(days);
  if (!pace) return { kind: 'open' };
  const sums = sumsAhead({ period, through, used }, pace);
  const firstFrom = (measure: (sum: (typeof sums)[number]) => number) => sums.find((sum) => measure(sum) >= limit)?.day;
  const on = firstFrom(({ middle }) => middle);
  if (on !== undefined) {
    if (on > plusDays(through, MAX_DAYS_OF_RANGE)) return { kind: 'reached', on, earliest: on, latest: on };
    const earliest = firstFrom(({ upper }) => upper) ?? on;
    return { kind: 'reached', on, earliest, latest: firstFrom(({ lower }) => lower) };
  }
  const last = sums.at(-1);
  const byEnd = last?.middle ?? used;
  const hasRange = sums.length <= MAX_DAYS_OF_RANGE && pace.reachOf(byEnd - used) !== undefined;
  return {
    kind: 'lasts',
    byEnd,
    likely: hasRange && last ? { lower: last.lower, upper: last.upper } : undefined,
  };
}

/** Returns the expected credits of the period by the end of each day after the last published one, with their range. */
export function sumsAhead({ period, through, used }: Omit<OwnUse, 'days'>, { weekdays, reachOf }: Pace): SumAhead[] {
  let rest = 0;
  return daysOf({ first: plusDays(through, 1), last: period.last }).map((day, index) => {
    if (day >= period.first) rest += weekdays[index % DAYS_IN_A_WEEK] ?? 0;
    const reach = reachOf(rest) ?? 0;
    return { day, middle: used + rest, lower: used + Math.max(0, rest - reach), upper: used + rest + reach };
  });
}

interface SumAhead {
  day: Day;
  middle: number;
  lower: number;
  upper: number;
}

export interface Pace {
  /** The number of weeks behind the means. */
  weeks: number;
  /** The mean of each weekday, beginning with the day after the last known one. */
  weekdays: number[];
  /** Returns the likely error of a sum of days to come, if that sum is expected to be `rest`. */
  reachOf: (rest: number) => number | undefined;
}

/** Days before the first use are ignored, because the person may not have had an account. */
export function paceOf(days: readonly number[]): Pace | undefined {
  const first = days.findIndex((amount) => amount !== 0);
  const usedDays = days.slice(Math.max(0, first));
  if (usedDays.length < LEAST_DAYS) return undefined;
  const weeks = Math.floor(usedDays.length / DAYS_IN_A_WEEK);
  const sums = Array.from({ length: weeks }, (_, week) => {
    const from = usedDays.length - (weeks - week) * DAYS_IN_A_WEEK;
    return usedDays.slice(from, from + DAYS_IN_A_WEEK).reduce((sum, amount) => sum + amount, 0);
  });
  const count = Math.min(WEEKS_OF_PACE, weeks);
  const weekdays = Array.from({ length: DAYS_IN_A_WEEK }, (_, weekday) =>
    meanOf(Array.from({ length: count }, (_week, week) => usedDays.at(weekday - (week + 1) * DAYS_IN_A_WEEK) ?? 0)),
  );
  const level = meanOf(sums.slice(-count));
  const mean = meanOf(sums);
  const variance = sums.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, weeks - 1);
  return {
    weeks: count,
    weekdays,
    reachOf: (rest) => {
      if (weeks < LEAST_WEEKS_OF_RANGE || level <= 0) return undefined;
      const ahead = rest / level;
      return studentQuantile(NORMAL_REACH, weeks - 1) * Math.sqrt(variance * (ahead + ahead ** 2 / count));
    },
  };
}
