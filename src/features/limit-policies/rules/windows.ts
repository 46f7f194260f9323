import { calendarPart, dayOf, mondayOf, plusDays, type Period } from '../../../core/base/time/calendar.ts';
import type { LimitPeriod } from '../../../core/base/settings/config.ts';
import { EVERY_DAY, lastOccurrence, nextOccurrence } from '../../../core/schedule/occurrences.ts';

/** When approvers get the daily line, in `TIMEZONE`. */
const LINE_AT = '09:00';

const lineSchedule = (zone: string) => ({ days: EVERY_DAY, at: LINE_AT, zone });

/** A grant is in the next daily line, and can be undone until the one after it. */
export function undoEndOf(grantedAt: Date, zone: string): Date {
  const schedule = lineSchedule(zone);
  return nextOccurrence(schedule, nextOccurrence(schedule, grantedAt).at).at;
}

/** The last time at which a daily line was due. */
export const lastLineAt = (now: Date, zone: string): Date => lastOccurrence(lineSchedule(zone), now).at;

/** The UTC days over which a cap of credits counts: the month if the period of limits is not known. */
export const capPeriod = (now: Date, unit: LimitPeriod | undefined): Period => periodAround(now, unit ?? 'month');

/** The UTC days over which a limit counts. */
export function periodAround(now: Date, unit: LimitPeriod): Period {
  const today = dayOf(now);
  if (unit !== 'week') return calendarPart(today, unit);
  const first = mondayOf(today);
  return { first, last: plusDays(first, 6) };
}
