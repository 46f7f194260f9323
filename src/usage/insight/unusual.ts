import { formatDay, type Day, type Period } from '../../calendar.ts';
import { formatNumber } from '../../numbers.ts';
import { median, medianDistance } from './spread.ts';
import { weekdayName, weekdayOf, type DayAmount } from './weekdays.ts';

/** Fewer of the same weekday before say nothing about what is usual. */
const LEAST_DAYS = 4;
/** Older ones tell of another time: a quarter of a year is enough. */
const MAX_DAYS = 13;

/** Iglewicz and Hoaglin, "How to Detect and Handle Outliers" (1993): the modified z-score and the limit they advise. */
const MODIFIED_Z_FACTOR = 0.6745;
const MODIFIED_Z_LIMIT = 3.5;
/** Where the days before hardly differed, the score calls a hair's breadth unusual; nobody should be told of that. */
const LEAST_CHANGE = 0.1;

/** The days before were all but the same: then it takes more than half as much again, or less, and so many credits. */
const CHANGE_WITHOUT_SPREAD = 0.5;
const LEAST_AMOUNT_WITHOUT_SPREAD = 1_000;

/** A day whose amount left its band. */
export interface UnusualDay {
  day: Day;
  direction: 'high' | 'low';
  amount: number;
  /** The median of the same weekdays before. */
  usual: number;
  /** Such as `Tue 24 Feb was unusually high: 598,000 against a usual 410,000 for a Tuesday`; without a full stop. */
  sentence: string;
}

/** `unknown`: not published, or too few of the same weekday before it. */
export type DayJudgement = { kind: 'usual' } | { kind: 'unknown' } | ({ kind: 'unusual' } & UnusualDay);

/**
 * Compares a day with the same weekdays before it, by median and median distance. Pure.
 *
 * @param days published days in any order; the longer back they go, the better
 */
export function judgeDay(days: readonly DayAmount[], day: Day): DayJudgement {
  const amount = days.find((one) => one.day === day)?.amount;
  const before = days
    .filter((one) => one.day < day && weekdayOf(one.day) === weekdayOf(day))
    .toSorted((a, b) => (a.day < b.day ? 1 : -1))
    .slice(0, MAX_DAYS)
    .map((one) => one.amount);
  if (amount === undefined || before.length < LEAST_DAYS) return { kind: 'unknown' };
  if (isWithinBand(amount, before)) return { kind: 'usual' };
  const usual = median(before);
  const direction = amount > usual ? 'high' : 'low';
  const sentence = `${formatDay(day)} was unusually ${direction}: ${formatNumber(amount)} against a usual ${formatNumber(usual)} for a ${weekdayName(day)}`;
  return { kind: 'unusual', day, direction, amount, usual, sentence };
}

function isWithinBand(amount: number, before: readonly number[]): boolean {
  const usual = median(before);
  const distance = medianDistance(before);
  const change = Math.abs(amount - usual);
  if (distance === 0) return change <= usual * CHANGE_WITHOUT_SPREAD || change < LEAST_AMOUNT_WITHOUT_SPREAD;
  return (MODIFIED_Z_FACTOR * change) / distance <= MODIFIED_Z_LIMIT || change <= usual * LEAST_CHANGE;
}

/** The days of a period that left their band, first to last. */
export function unusualDays(days: readonly DayAmount[], period: Period): UnusualDay[] {
  return days
    .filter(({ day }) => day >= period.first && day <= period.last)
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
    .flatMap(({ day }) => {
      const judgement = judgeDay(days, day);
      return judgement.kind === 'unusual' ? [judgement] : [];
    });
}

/** Is a day known to be like its weekday? With too few days before it nobody can tell, so it is not. */
export function isUsual(days: readonly DayAmount[], day: Day): boolean {
  return judgeDay(days, day).kind === 'usual';
}
