import { UTCDate } from '@date-fns/utc';
import { addMonths, endOfMonth, format, getISODay, startOfMonth } from '../../date-fns.ts';
import { FIRST_ANALYTICS_DAY } from '../../platform/endpoints/analytics-range.ts';
import { previousOccurrence, type Occurrence, type Schedule } from '../../schedule/occurrences.ts';
import { dayOf, lengthOf, plusDays, type Day, type Period } from '../../calendar.ts';
import type { Cadence } from './settings.ts';

const DAYS_IN_A_WEEK = 7;
const FRIDAY = 5;

/** The last UTC day that was over at an instant. */
const lastDayOver = (instant: Date): Day => plusDays(dayOf(instant), -1);

/**
 * The UTC days that a digest covers: from after what the one before could cover through the last day that was over when it
 * was due. So each day is covered once, and Monday's of the weekdays covers Friday to Sunday. Pure.
 *
 * @returns nothing when no day was over since the digest before: a change of the clocks can move a late hour past midnight UTC
 */
export function coveredDays(cadence: Cadence, schedule: Schedule, occurrence: Occurrence): Period | undefined {
  if (cadence === 'monthly') return monthBefore(occurrence.localDate);
  const before = previousOccurrence(schedule, occurrence.at);
  const period = { first: plusDays(lastDayOver(before.at), 1), last: lastDayOver(occurrence.at) };
  return period.first > period.last ? undefined : startingAtFirstDay(period);
}

/** What a digest covers that somebody asks for now: as many days as a regular one, up to yesterday. Pure. */
export function coveredNow(cadence: Cadence, now: Date): Period | undefined {
  const last = lastDayOver(now);
  switch (cadence) {
    case 'daily':
      return startingAtFirstDay({ first: last, last });
    case 'weekdays': {
      // Saturday and Sunday come with the Friday before them.
      const weekday = getISODay(new UTCDate(`${last}T00:00:00Z`));
      return startingAtFirstDay({ first: plusDays(last, -Math.max(0, weekday - FRIDAY)), last });
    }
    case 'weekly':
      return startingAtFirstDay({ first: plusDays(last, 1 - DAYS_IN_A_WEEK), last });
    case 'monthly':
      return monthBefore(dayOf(now));
    default:
      return cadence satisfies never;
  }
}

/**
 * What a digest's days are compared with: the same weekdays of the weeks before, so that a Monday is not held against a
 * Sunday; for a month the month before. Nothing where that would reach before the first day with figures. Pure.
 */
export function comparedDays(cadence: Cadence, period: Period): Period | undefined {
  const before = cadence === 'monthly' ? calendarMonth(period.first, -1) : weeksBefore(period);
  return before.first < FIRST_ANALYTICS_DAY ? undefined : before;
}

function weeksBefore(period: Period): Period {
  const shift = Math.ceil(lengthOf(period) / DAYS_IN_A_WEEK) * DAYS_IN_A_WEEK;
  return { first: plusDays(period.first, -shift), last: plusDays(period.last, -shift) };
}

function calendarMonth(day: Day, offset: number): Period {
  const month = addMonths(startOfMonth(new UTCDate(`${day}T00:00:00Z`)), offset);
  return { first: format(month, 'yyyy-MM-dd'), last: format(endOfMonth(month), 'yyyy-MM-dd') };
}

const monthBefore = (day: Day) => startingAtFirstDay(calendarMonth(day, -1));

function startingAtFirstDay({ first, last }: Period): Period | undefined {
  if (last < FIRST_ANALYTICS_DAY) return undefined;
  return { first: first < FIRST_ANALYTICS_DAY ? FIRST_ANALYTICS_DAY : first, last };
}
