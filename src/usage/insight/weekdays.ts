import type { Day } from '../../calendar.ts';

const NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** A published day with its amount. */
export interface DayAmount {
  day: Day;
  amount: number;
}

/** @example weekdayOf('2026-03-02') // 1, a Monday */
export function weekdayOf(day: Day): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** @example weekdayName('2026-03-02') // 'Monday' */
export function weekdayName(day: Day): string {
  return NAMES[weekdayOf(day)] ?? '';
}
