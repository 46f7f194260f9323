import { plusDays, type Day, type Period } from '../base/time/calendar.ts';
import { FIRST_ANALYTICS_DAY } from '../platform/endpoints/analytics-range.ts';

/** The first day that an answer can be about, and the reason. */
export interface Beginning {
  first: Day;
  /** The number of days for which figures of people are kept; undefined: the platform has no earlier figures. */
  keptDays?: number;
}

/** For figures of the organization. */
export const PLATFORM_BEGINNING: Beginning = { first: FIRST_ANALYTICS_DAY };

/**
 * Returns the beginning of people’s figures, by the number of days for which they are kept. Pure.
 *
 * @example beginningOfPeople('2027-03-01', 375) // { first: '2026-02-19', keptDays: 375 }
 */
export function beginningOfPeople(today: Day, keptDays: number): Beginning {
  const first = plusDays(today, -keptDays);
  return first > FIRST_ANALYTICS_DAY ? { first, keptDays } : PLATFORM_BEGINNING;
}

/** A period after it was cut to the days that can have figures. */
export type ExistingPeriod =
  | { kind: 'exists'; period: Period; cutAtStart: boolean; cutAtEnd: boolean }
  | { kind: 'before_all' }
  | { kind: 'not_yet' };

/** Cuts a period to the days from the first day with figures through yesterday. */
export function cutToExisting(requested: Period, today: Day, { first } = PLATFORM_BEGINNING): ExistingPeriod {
  const yesterday = plusDays(today, -1);
  if (requested.last < first) return { kind: 'before_all' };
  if (requested.first > yesterday) return { kind: 'not_yet' };
  const period = {
    first: requested.first < first ? first : requested.first,
    last: requested.last > yesterday ? yesterday : requested.last,
  };
  return {
    kind: 'exists',
    period,
    cutAtStart: period.first !== requested.first,
    cutAtEnd: period.last !== requested.last,
  };
}

/** Returns the day, or the first day with figures if that is later. */
export function notBeforeFirstDay(day: Day, { first } = PLATFORM_BEGINNING): Day {
  return day < first ? first : day;
}
