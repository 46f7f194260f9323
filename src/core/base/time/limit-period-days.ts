import { z } from 'zod';
import { ordinal } from '../text/numbers.ts';
import {
  calendarPart,
  DAYS_IN_A_WEEK,
  formatDate,
  formatPeriod,
  mondayOf,
  plusDays,
  type Day,
  type Period,
} from './calendar.ts';

export const PERIOD_UNITS = ['week', 'month', 'quarter', 'year'] as const;
export type PeriodUnit = (typeof PERIOD_UNITS)[number];

/** The period over which a credit limit counts: a text with one spelling, so that it is stored and compared as it is. */
export type LimitPeriod = PeriodUnit | `month from ${number}`;

/** Later days do not exist in every month. */
export const LAST_START_DAY = 28;

const MONTH_FROM = /^month from ([1-9]\d?)$/;
const LONGEST = 'month from 28'.length;

/** @example monthFrom(1) // 'month' */
export const monthFrom = (startDay: number): LimitPeriod => (startDay === 1 ? 'month' : `month from ${startDay}`);

/** @example readPeriodText('month from 15') // 'month from 15'; undefined for other texts */
function readPeriodText(text: string): LimitPeriod | undefined {
  const startDay = Number(MONTH_FROM.exec(text)?.[1]);
  if (startDay <= LAST_START_DAY) return monthFrom(startDay);
  return PERIOD_UNITS.find((unit) => unit === text);
}

export const limitPeriodSchema = z
  .string()
  .max(LONGEST, { error: 'is none of week, month, quarter, year' })
  .transform((text, context) => {
    const period = readPeriodText(text);
    if (period !== undefined) return period;
    context.addIssue(
      text.startsWith('month')
        ? `is neither month nor a month that begins on a day from 2 to ${LAST_START_DAY}, such as month from 15`
        : 'is none of week, month, quarter, year',
    );
    return z.NEVER;
  });

/** @example partsOf('month from 15') // { unit: 'month', startDay: 15 } */
function partsOf(period: LimitPeriod): { unit: PeriodUnit; startDay: number } {
  const unit = PERIOD_UNITS.find((one) => one === period);
  return unit === undefined ? { unit: 'month', startDay: Number(MONTH_FROM.exec(period)?.[1]) } : { unit, startDay: 1 };
}

export const unitOf = (period: LimitPeriod): PeriodUnit => partsOf(period).unit;

/** The day of the month on which the period begins; 1 for a period that is part of the calendar. */
export const startDayOf = (period: LimitPeriod): number => partsOf(period).startDay;

/** The month in which limits count: that of the calendar if they count over another unit, or their period is unknown. */
export const monthOf = (period: LimitPeriod | undefined): LimitPeriod =>
  period !== undefined && unitOf(period) === 'month' ? period : 'month';

/**
 * The UTC days of the period around a day, or of one as many periods later.
 *
 * @example limitPeriodAround('2026-03-04', 'month from 15') // 15 February to 14 March
 */
export function limitPeriodAround(day: Day, period: LimitPeriod, offset = 0): Period {
  const { unit, startDay } = partsOf(period);
  if (unit === 'week') {
    const first = plusDays(mondayOf(day), offset * DAYS_IN_A_WEEK);
    return { first, last: plusDays(first, DAYS_IN_A_WEEK - 1) };
  }
  // Each month has the day on which it begins, so it is the calendar’s, moved by as many days.
  const moved = startDay - 1;
  const { first, last } = calendarPart(plusDays(day, -moved), unit, offset);
  return { first: plusDays(first, moved), last: plusDays(last, moved) };
}

/** @example periodName('month from 15') // 'month from the 15th' */
export function periodName(period: LimitPeriod): string {
  const { unit, startDay } = partsOf(period);
  return startDay === 1 ? unit : `${unit} from the ${ordinal(startDay)}`;
}

/** @param days of the period. @example thisPeriodWords('month', days, today) // 'this month', or '15 Nov – 14 Dec' */
export const thisPeriodWords = (period: LimitPeriod, days: Period, today: Day): string =>
  startDayOf(period) === 1 ? `this ${unitOf(period)}` : formatPeriod(days, today);

/** @example periodEndWords('month', days, today) // 'the end of the month', or '14 Dec' */
export const periodEndWords = (period: LimitPeriod, days: Period, today: Day): string =>
  startDayOf(period) === 1 ? `the end of the ${unitOf(period)}` : formatDate(days.last, today);
