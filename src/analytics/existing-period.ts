import { plusDays, type Day, type Period } from '../base/calendar.ts';
import { FIRST_ANALYTICS_DAY } from '../platform/endpoints/analytics-range.ts';

/** What is left of a period after it was cut to the days that can have figures. */
export type ExistingPeriod =
  | { kind: 'exists'; period: Period; cutAtStart: boolean; cutAtEnd: boolean }
  | { kind: 'before_all' }
  | { kind: 'not_yet' };

/** Cuts a period to 2026-01-14 (the first day with figures) and yesterday. */
export function cutToExisting(requested: Period, today: Day): ExistingPeriod {
  const yesterday = plusDays(today, -1);
  if (requested.last < FIRST_ANALYTICS_DAY) return { kind: 'before_all' };
  if (requested.first > yesterday) return { kind: 'not_yet' };
  const period = {
    first: notBeforeFirstDay(requested.first),
    last: requested.last > yesterday ? yesterday : requested.last,
  };
  return {
    kind: 'exists',
    period,
    cutAtStart: period.first !== requested.first,
    cutAtEnd: period.last !== requested.last,
  };
}

/** A day, or the first day with figures if it is before that. */
export function notBeforeFirstDay(day: Day): Day {
  return day < FIRST_ANALYTICS_DAY ? FIRST_ANALYTICS_DAY : day;
}
