import { plusDays, type Day, type Period } from '../base/time/calendar.ts';
import { FIRST_ANALYTICS_DAY } from '../platform/endpoints/analytics-range.ts';

export interface Beginning {
  first: Day;
  /** The number of days for which figures of people are kept; undefined: the platform has no earlier figures. */
  keptDays?: number;
}

export const PLATFORM_BEGINNING: Beginning = { first: FIRST_ANALYTICS_DAY };

/** @example beginningOfPeople('2027-03-01', 375) // { first: '2026-02-19', keptDays: 375 } */
export function beginningOfPeople(today: Day, keptDays: number): Beginning {
  const first = plusDays(today, -keptDays);
  return first > FIRST_ANALYTICS_DAY ? { first, keptDays } : PLATFORM_BEGINNING;
}

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

export function notBeforeFirstDay(day: Day, { first } = PLATFORM_BEGINNING): Day {
  return day < first ? first : day;
}
