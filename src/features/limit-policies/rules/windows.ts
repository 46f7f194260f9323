import { dayOf, type Period } from '../../../core/base/time/calendar.ts';
import { limitPeriodAround, type LimitPeriod } from '../../../core/base/time/limit-period-days.ts';
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
export const capPeriod = (now: Date, period: LimitPeriod | undefined): Period =>
  limitPeriodAround(dayOf(now), period ?? 'month');
