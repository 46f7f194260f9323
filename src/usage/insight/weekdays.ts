import { DAYS_IN_A_WEEK, dayNumberOf, type Day } from '../../base/time/calendar.ts';

/** 1970-01-01, the first of the day numbers, was a Thursday. */
const NAMES = ['Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday'] as const;

/** A published day with its amount. */
export interface DayAmount {
  day: Day;
  amount: number;
}

/** @example weekdayName('2026-03-02') // 'Monday' */
export function weekdayName(day: Day): string {
  return NAMES[dayNumberOf(day) % DAYS_IN_A_WEEK] ?? '';
}
