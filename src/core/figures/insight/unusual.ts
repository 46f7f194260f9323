import type { DailyCreditsRow, Part } from '../../analytics/day-facts.ts';
import {
  dayNumberOf,
  formatDay,
  plusDays,
  weekdayName,
  weekdayOf,
  type Day,
  type Period,
} from '../../base/time/calendar.ts';
import { USUAL_DAYS } from '../../analytics/period.ts';
import { formatCompact, formatRange } from '../../base/text/numbers.ts';
import { meanOf, studentQuantile } from '../../base/statistics.ts';
import { expectDay } from './weekday-trend.ts';

/** With fewer days of the same weekday, or fewer degrees of freedom, a range means nothing. */
const LEAST = { ofWeekday: 4, freedom: 5 };

/**
 * Quantiles of the normal distribution, chosen so that chance alone makes 1 % of days high and 0.1 % low. High days are
 * detected more readily: they cost credits, while most low days are holidays, far below any limit.
 */
const HIGH_QUANTILE = 2.326;
const LOW_QUANTILE = 3.09;

/**
 * Logarithms make a doubled day as far off as a halved one. This part of the average day is added first, so that a day
 * without work has a logarithm and tiny amounts do not look far apart.
 */
const OFFSET = 0.03;

/** If the earlier days hardly varied, only a change of at least this share is unusual. */
const LEAST_CHANGE = 0.1;
/** If the earlier days did not vary, a day is unusual if it differs by over half and by over 999 credits. */
const CHANGE_WITHOUT_SPREAD = 0.5;
const SLIGHT_AMOUNT = 999;

/** A level that lasts this long is the new one; a shorter one may be two weeks of holidays. */
const NEW_LEVEL_DAYS = 14;

export interface DayAmount {
  day: Day;
  amount: number;
}

export interface UnusualDay {
  day: Day;
  direction: 'high' | 'low';
  amount: number;
  /** The amount that the earlier days lead one to expect. */
  usual: number;
  /** Such as `Tue 24 Feb was unusually high: 598 K instead of the usual 410 K for a Tuesday`; without a full stop. */
  sentence: string;
}

/** `unknown`: too few earlier days. */
export type DayJudgement = { kind: 'usual' } | { kind: 'unknown'; day: Day } | ({ kind: 'unusual' } & UnusualDay);

/** The usual range of a day; an amount outside it is unusual. */
export interface UsualRange {
  low: number;
  usual: number;
  high: number;
}

/** Returns undefined if too few of the `USUAL_DAYS` days before the day are published; `before` may be in any order. */
export function usualRange(before: readonly DayAmount[], day: Day): UsualRange | undefined {
  const dayNumber = dayNumberOf(day);
  const oldest = plusDays(day, -USUAL_DAYS);
  const earlierDays = before
    .filter((one) => one.day < day && one.day >= oldest)
    .map((one) => ({ dayNumber: dayNumberOf(one.day), amount: one.amount }));
  const offset = earlierDays.length === 0 ? 0 : Math.max(1, OFFSET * meanOf(earlierDays.map((one) => one.amount)));
  const toScale = (value: number) => Math.log(Math.max(0, value) + offset);
  const fromScale = (value: number) => Math.max(0, Math.exp(value) - offset);
  const points = earlierDays.map((one) => ({ dayNumber: one.dayNumber, value: toScale(one.amount) }));
  const expected = expectDay(points, dayNumber, LEAST);
  if (!expected) return undefined;
  const { value, error, freedom, steps } = expected;
  const usual = fromScale(value);
  if (error === 0) {
    const change = Math.max(usual * CHANGE_WITHOUT_SPREAD, SLIGHT_AMOUNT);
    return { low: Math.max(0, usual - change), usual, high: usual + change };
  }
  // While a new level is young, a return to the old one is usual too.
  const young = steps.filter((step) => step.dayNumber > dayNumber - NEW_LEVEL_DAYS);
  const levels = [value, ...young.map(({ size }) => value - size)];
  const low = fromScale(Math.min(...levels) - studentQuantile(LOW_QUANTILE, freedom) * error);
  const high = fromScale(Math.max(...levels) + studentQuantile(HIGH_QUANTILE, freedom) * error);
  return { low: Math.min(low, usual * (1 - LEAST_CHANGE)), usual, high: Math.max(high, usual * (1 + LEAST_CHANGE)) };
}

/** @example placeIn({ low: 100, usual: 200, high: 300 }, 300) // 'within' */
export function placeIn({ low, high }: UsualRange, amount: number): 'above' | 'below' | 'within' {
  if (amount > high) return 'above';
  return amount < low ? 'below' : 'within';
}

/** @example rangeWords({ low: 38_200_000, usual: 42_000_000, high: 47_000_000 }) // '38.2–47 M' */
export function rangeWords({ low, high }: UsualRange): string {
  return formatRange(low, high, '–');
}

export function judgeDay(before: readonly DayAmount[], one: DayAmount): DayJudgement {
  return judgeByRange(one, usualRange(before, one.day));
}

export function judgeByRange({ day, amount }: DayAmount, range: UsualRange | undefined): DayJudgement {
  if (!range) return { kind: 'unknown', day };
  const { usual } = range;
  if (placeIn(range, amount) === 'within') return { kind: 'usual' };
  const direction = amount > usual ? 'high' : 'low';
  const sentence = `${formatDay(day)} was unusually ${direction}: ${formatCompact(amount)} instead of the usual ${formatCompact(usual)} for a ${weekdayName(day)}`;
  return { kind: 'unusual', day, direction, amount, usual, sentence };
}

/** The unusual days of a period, oldest first, and the published days that could not be judged. */
export interface UnusualDays {
  unusual: UnusualDay[];
  unknown: Day[];
  /** Each published day with its usual range, if known. */
  ranges: (DayAmount & { range: UsualRange | undefined })[];
}

/** @param before published days; for each day the earlier ones count, and the days of the period may be among them */
export function unusualDays(days: readonly DayAmount[], before: readonly DayAmount[], period: Period): UnusualDays {
  const ranges = days
    .filter(({ day }) => day >= period.first && day <= period.last)
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
    .map((one) => ({ ...one, range: usualRange(before, one.day) }));
  const judgements = ranges.map((one) => judgeByRange(one, one.range));
  return {
    ranges,
    unusual: judgements.flatMap((one) => (one.kind === 'unusual' ? [one] : [])),
    unknown: judgements.flatMap((one) => (one.kind === 'unknown' ? [one.day] : [])),
  };
}

export function amountsOf(credits: Part<DailyCreditsRow>): DayAmount[] {
  return credits.kind === 'read' ? credits.rows.map((row) => ({ day: row.date, amount: row.billable_tokens })) : [];
}

const WEEKEND: ReadonlySet<number> = new Set([0, 6]);

/** Returns the usual range of a single weekend day, used instead of a comparison; undefined for other periods. Pure. */
export function weekendBand(history: Part<DailyCreditsRow>, { first, last }: Period): UsualRange | undefined {
  return first === last && WEEKEND.has(weekdayOf(first)) ? usualRange(amountsOf(history), first) : undefined;
}
