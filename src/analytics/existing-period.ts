import { lengthOf, plusDays, type Day, type Period } from '../calendar.ts';
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
    first: requested.first < FIRST_ANALYTICS_DAY ? FIRST_ANALYTICS_DAY : requested.first,
    last: requested.last > yesterday ? yesterday : requested.last,
  };
  return {
    kind: 'exists',
    period,
    cutAtStart: period.first !== requested.first,
    cutAtEnd: period.last !== requested.last,
  };
}

/** The period of the same length right before, or nothing where it would reach before the first day with figures. */
export function periodBefore(period: Period): Period | undefined {
  const before = { first: plusDays(period.first, -lengthOf(period)), last: plusDays(period.first, -1) };
  return before.first < FIRST_ANALYTICS_DAY ? undefined : before;
}
