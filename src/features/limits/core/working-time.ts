import { TZDate } from '@date-fns/tz';
import { getISODay } from '../../../core/base/time/date-fns.ts';

const WORKDAY = { firstHour: 8, endHour: 18, lastDay: 5 };

/** Reminders are sent on weekdays from 08:00 to 18:00 in the zone. */
export function isWorkingTime(now: Date, zone: string): boolean {
  const local = new TZDate(now.getTime(), zone);
  const hour = local.getHours();
  return getISODay(local) <= WORKDAY.lastDay && hour >= WORKDAY.firstHour && hour < WORKDAY.endHour;
}
