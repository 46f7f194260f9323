import { meanOf, studentQuantile } from '../../base/statistics.ts';
import { calendarPart, DAYS_IN_A_WEEK, daysOf, plusDays, type Day, type Period } from '../../base/time/calendar.ts';

/** The pace is the mean of this many weeks, in each of which each weekday counts once. */
export const WEEKS_OF_PACE = 4;
/** With fewer days, hardly any weekday occurred twice. */
const LEAST_DAYS = 14;
/** With fewer weeks, the spread between weeks is unknown. */
const LEAST_WEEKS_OF_RANGE = 3;
/** The normal quantile of the 90th percentile: 80 % lie between it and the 10th. */
const NORMAL_REACH = 1.2816;

/** The expected course of this month, compared with a limit that counts from the first of the month. */
export type Outlook =
  | { kind: 'over' }
  /** Exactly the limit is used. */
  | { kind: 'used_up' }
  /** `earliest` to `latest` is the likely range; without a `latest` it may be after the end of the month. */
  | { kind: 'reached'; on: Day; earliest: Day; latest: Day | undefined }
  | { kind: 'below'; byEnd: number; likely: { lower: number; upper: number } | undefined; end: Day }
  /** There are too few days for an outlook. */
  | { kind: 'open' };

export interface OwnUse {
  /** The published days of this month. */
  period: Period;
  used: { value: number };
  /** Oldest first; the last one is that of the last day of `period`. */
  days: readonly number[];
}

/**
 * Forecasts each remaining day by the same weekday of the last weeks, so a Sunday without work does not slow the pace.
 * The range comes from the spread between whole weeks, in proportion to the remaining days. Pure.
 */
export function outlookOf({ period, used, days }: OwnUse, limit: number): Outlook {
  if (used.value > limit) return { kind: 'over' };
  if (used.value === limit) return { kind: 'used_up' };
  const { last: end } = calendarPart(period.last, 'month');
  const remaining = daysOf({ first: plusDays(period.last, 1), last: end });
  if (remaining.length === 0) return { kind: 'below', byEnd: used.value, likely: undefined, end };
  const pace = paceOf(days);
  if (!pace) return { kind: 'open' };
  let rest = 0;
  const sums = remaining.map((day, index) => {
    rest += pace.weekdays[index % DAYS_IN_A_WEEK] ?? 0;
    const reach = pace.reachOf(rest) ?? 0;
    const lower = used.value + Math.max(0, rest - reach);
    return { day, middle: used.value + rest, lower, upper: used.value + rest + reach };
  });
  const firstFrom = (measure: (sum: (typeof sums)[number]) => number) => sums.find((sum) => measure(sum) >= limit)?.day;
  const on = firstFrom(({ middle }) => middle);
  if (on !== undefined)
    return {
      kind: 'reached',
      on,
      earliest: firstFrom(({ upper }) => upper) ?? on,
      latest: firstFrom((sum) => sum.lower),
    };
  const last = sums.at(-1);
  const hasRange = pace.reachOf(rest) !== undefined && last !== undefined;
  return {
    kind: 'below',
    byEnd: used.value + rest,
    likely: hasRange ? { lower: last.lower, upper: last.upper } : undefined,
    end,
  };
}

interface Pace {
  /** The mean of each weekday, beginning with the day after the last known one. */
  weekdays: number[];
  /** Returns the likely error of a sum of days to come, if that sum is expected to be `rest`. */
  reachOf: (rest: number) => number | undefined;
}

/** Days before the first use are ignored, because the person may not have had an account. */
function paceOf(days: readonly number[]): Pace | undefined {
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
    weekdays,
    reachOf: (rest) => {
      if (weeks < LEAST_WEEKS_OF_RANGE || level <= 0) return undefined;
      const ahead = rest / level;
      return studentQuantile(NORMAL_REACH, weeks - 1) * Math.sqrt(variance * (ahead + ahead ** 2 / count));
    },
  };
}
