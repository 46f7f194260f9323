import { UTCDateMini } from '@date-fns/utc/date/mini';
import { getISODay } from '../../../core/base/time/date-fns.ts';
import { notBeforeFirstDay } from '../../../core/analytics/period.ts';
import { FIRST_ANALYTICS_DAY } from '../../../core/platform/endpoints/analytics-range.ts';
import { previousOccurrence, type Occurrence, type Schedule } from '../../../core/schedule/occurrences.ts';
import {
  DAYS_IN_A_WEEK,
  calendarPart,
  dayOf,
  plusDays,
  type Day,
  type Period,
} from '../../../core/base/time/calendar.ts';
import type { Cadence } from './settings.ts';

const FRIDAY = 5;

/** Returns the last UTC day that ended before an instant. */
export const lastDayOver = (instant: Date): Day => plusDays(dayOf(instant), -1);

/**
 * Returns the UTC days from after those of the previous digest through the last day that ended before this one was due:
 * each day is covered once, and Monday’s digest of the weekdays covers Friday to Sunday.
 * @returns undefined if no day ended since the previous digest: a clock change can move a late hour past midnight UTC
 */
export function coveredDays(cadence: Cadence, schedule: Schedule, occurrence: Occurrence): Period | undefined {
  if (cadence === 'monthly') return monthBefore(occurrence.localDate);
  const before = previousOccurrence(schedule, occurrence.at);
  const period = { first: plusDays(lastDayOver(before.at), 1), last: lastDayOver(occurrence.at) };
  return period.first > period.last ? undefined : startingAtFirstDay(period);
}

/** Returns the days of a digest sent on request: as many as in a regular one, through yesterday. Pure. */
export function coveredNow(cadence: Cadence, now: Date): Period | undefined {
  const last = lastDayOver(now);
  switch (cadence) {
    case 'daily':
      return startingAtFirstDay({ first: last, last });
    case 'weekdays': {
      // Saturday and Sunday are covered together with the Friday before.
      const weekday = getISODay(new UTCDateMini(`${last}T00:00:00Z`));
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

const monthBefore = (day: Day) => startingAtFirstDay(calendarPart(day, 'month', -1));

function startingAtFirstDay({ first, last }: Period): Period | undefined {
  if (last < FIRST_ANALYTICS_DAY) return undefined;
  return { first: notBeforeFirstDay(first), last };
}
