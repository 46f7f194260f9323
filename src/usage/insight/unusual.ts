import { dayNumberOf, formatDay, type Day, type Period } from '../../base/calendar.ts';
import { formatNumber } from '../../base/numbers.ts';
import { meanOf, studentQuantile } from './spread.ts';
import { weekdayName, type DayAmount } from './weekdays.ts';
import { expectDay } from './weekday-trend.ts';

/**
 * How many days before a day tell what is usual for it, whichever period it is shown in. With the four weeks of `28d`, and the
 * two days by which those may move, it is what one call for sums may hold.
 */
export const USUAL_DAYS = 62;

/** Fewer of the same weekday before say nothing about what is usual; with so little freedom the interval means nothing. */
const LEAST = { ofWeekday: 4, freedom: 10 };

/**
 * Quantiles of the normal distribution for days of which 1 % would be called high and 0.1 % low by chance alone. High ones
 * are looked for harder: they cost, and most low ones are holidays, far below any limit.
 */
const HIGH_QUANTILE = 2.326;
const LOW_QUANTILE = 3.09;

/**
 * Logarithms make a doubled day as far off as a halved one, whatever the size. So large a part of the average day is added
 * first, so that a day without any work has one, and days of next to nothing do not look far apart.
 */
const OFFSET = 0.03;

/** Where the days before hardly differed, a hair's breadth would be unusual; nobody should be told of that. */
const LEAST_CHANGE = 0.1;
/** The days before were all but the same: then it takes more than half as much again, or less, and so many credits. */
const CHANGE_WITHOUT_SPREAD = 0.5;
const LEAST_AMOUNT_WITHOUT_SPREAD = 1_000;

/** A day whose amount left its band. */
export interface UnusualDay {
  day: Day;
  direction: 'high' | 'low';
  amount: number;
  /** What the days before lead one to expect of it. */
  usual: number;
  /** Such as `Tue 24 Feb was unusually high: 598,000 against a usual 410,000 for a Tuesday`; without a full stop. */
  sentence: string;
}

/** `unknown`: too few days before it. */
export type DayJudgement = { kind: 'usual' } | { kind: 'unknown'; day: Day } | ({ kind: 'unusual' } & UnusualDay);

/**
 * Holds a day against the days before it. Pure.
 *
 * @param before published days in any order; those of the `USUAL_DAYS` days before the day count, others do not
 */
export function judgeDay(before: readonly DayAmount[], { day, amount }: DayAmount): DayJudgement {
  const dayNumber = dayNumberOf(day);
  const known = before
    .map((one) => ({ dayNumber: dayNumberOf(one.day), amount: one.amount }))
    .filter((one) => one.dayNumber < dayNumber && one.dayNumber >= dayNumber - USUAL_DAYS);
  const offset = known.length === 0 ? 0 : Math.max(1, OFFSET * meanOf(known.map((one) => one.amount)));
  const toScale = (value: number) => Math.log(Math.max(0, value) + offset);
  const points = known.map((one) => ({ dayNumber: one.dayNumber, value: toScale(one.amount) }));
  const expected = expectDay(points, dayNumber, LEAST);
  if (!expected) return { kind: 'unknown', day };
  const usual = Math.max(0, Math.exp(expected.value) - offset);
  const direction = amount > usual ? 'high' : 'low';
  const limit = studentQuantile(direction === 'high' ? HIGH_QUANTILE : LOW_QUANTILE, expected.freedom) * expected.error;
  const change = Math.abs(amount - usual);
  const isFar =
    expected.error === 0
      ? change > usual * CHANGE_WITHOUT_SPREAD && change >= LEAST_AMOUNT_WITHOUT_SPREAD
      : Math.abs(toScale(amount) - expected.value) > limit && change > usual * LEAST_CHANGE;
  if (!isFar) return { kind: 'usual' };
  const sentence = `${formatDay(day)} was unusually ${direction}: ${formatNumber(amount)} against a usual ${formatNumber(usual)} for a ${weekdayName(day)}`;
  return { kind: 'unusual', day, direction, amount, usual, sentence };
}

/** What was unusual in a period, first to last, and of which of its published days nobody can tell. */
export interface UnusualDays {
  unusual: UnusualDay[];
  unknown: Day[];
}

/** @param before published days, of which those before each day count; they may be the days of the period too */
export function unusualDays(days: readonly DayAmount[], before: readonly DayAmount[], period: Period): UnusualDays {
  const judgements = days
    .filter(({ day }) => day >= period.first && day <= period.last)
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
    .map((one) => judgeDay(before, one));
  return {
    unusual: judgements.flatMap((one) => (one.kind === 'unusual' ? [one] : [])),
    unknown: judgements.flatMap((one) => (one.kind === 'unknown' ? [one.day] : [])),
  };
}
