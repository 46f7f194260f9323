import {
  DAYS_IN_A_WEEK,
  calendarPart,
  lengthOf,
  plusDays,
  weekdayOf,
  type CalendarUnit,
  type Day,
  type Period,
} from '../base/time/calendar.ts';
import { PLATFORM_BEGINNING } from './existing-period.ts';

/**
 * Returns the period to compare with: whole weeks earlier, so that each day faces the same weekday. A month, quarter or
 * year is compared with the previous one or, while it runs, with the same part of it once that has each weekday.
 * @returns undefined if the compared period would begin before the first day with figures
 * @example comparedPeriod({ first: '2026-03-02', last: '2026-03-02' }) // Monday 23 February
 */
export function comparedPeriod(
  period: Period,
  unit?: CalendarUnit,
  { first } = PLATFORM_BEGINNING,
): Period | undefined {
  const hasEachWeekday = lengthOf(period) >= DAYS_IN_A_WEEK;
  const before = unit && hasEachWeekday ? samePartBefore(period, unit) : weeksBefore(period);
  return before.first < first ? undefined : before;
}

function weeksBefore(period: Period): Period {
  const shift = Math.ceil(lengthOf(period) / DAYS_IN_A_WEEK) * DAYS_IN_A_WEEK;
  return { first: plusDays(period.first, -shift), last: plusDays(period.last, -shift) };
}

function samePartBefore(period: Period, unit: CalendarUnit): Period {
  const whole = calendarPart(period.first, unit);
  const before = calendarPart(period.first, unit, -1);
  const samePart = plusDays(before.first, lengthOf(period) - 1);
  return { first: before.first, last: period.last === whole.last || samePart > before.last ? before.last : samePart };
}

export function hasSameWeekdays(period: Period, comparedWith: Period): boolean {
  const [own, before] = [countWeekdays(period), countWeekdays(comparedWith)];
  return own.every((count, weekday) => count === before[weekday]);
}

/**
 * Returns the weight of each compared day: the weighted days add up to the period’s weekdays at the compared period’s
 * mean of each weekday. A month with one more Monday is not “up”.
 * @example const before = sumOf(rows, (row) => row.credits * weightOf(row.date));
 */
export function weekdayWeights(period: Period, comparedWith: Period): (day: Day) => number {
  const [own, before] = [countWeekdays(period), countWeekdays(comparedWith)];
  const weights = own.map((count, weekday) => count / (before[weekday] || 1));
  const firstWeekday = weekdayOf(comparedWith.first);
  return (day) =>
    weights[(firstWeekday + lengthOf({ first: comparedWith.first, last: day }) - 1) % DAYS_IN_A_WEEK] ?? 1;
}

function countWeekdays(period: Period): number[] {
  const length = lengthOf(period);
  const first = weekdayOf(period.first);
  return Array.from({ length: DAYS_IN_A_WEEK }, (_, weekday) => {
    const offset = (weekday - first + DAYS_IN_A_WEEK) % DAYS_IN_A_WEEK;
    return Math.ceil(Math.max(0, length - offset) / DAYS_IN_A_WEEK);
  });
}
