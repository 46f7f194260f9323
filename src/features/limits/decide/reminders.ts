import { HOUR_MS } from '../../../core/base/time/durations.ts';
import { TZDate } from '@date-fns/tz';
import { getISODay } from '../../../core/base/time/date-fns.ts';
import { remind } from '../core/notify.ts';
import { expireRequest } from './decide.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { listRequests } from '../core/requests.ts';
import { WAITING } from '../core/states.ts';

/** Later first: if both were missed, only one reminder is sent. */
const REMINDED_AFTER_HOURS = [24, 4];
const WORKDAY = { firstHour: 8, endHour: 18, lastDay: 5 };

/** Reminders are sent on weekdays from 08:00 to 18:00 in the zone. */
export function isWorkingTime(now: Date, zone: string): boolean {
  const local = new TZDate(now.getTime(), zone);
  const hour = local.getHours();
  return getISODay(local) <= WORKDAY.lastDay && hour >= WORKDAY.firstHour && hour < WORKDAY.endHour;
}

/** Returns which reminder is due, in hours since the request. Pure. */
export function reminderDue(createdAt: Date, now: Date): number | undefined {
  const ageMs = now.getTime() - createdAt.getTime();
  return REMINDED_AFTER_HOURS.find((hours) => ageMs >= hours * HOUR_MS);
}

export async function remindAndExpire(deps: LimitDeps): Promise<void> {
  const now = deps.clock.now();
  const mayRemind = isWorkingTime(now, deps.config.timeZone);
  for (const request of await listRequests(deps.db, WAITING)) {
    if (await expireRequest(deps, request)) continue;
    const hours = mayRemind ? reminderDue(new Date(request.createdAt), now) : undefined;
    if (hours === undefined) continue;
    await deps.db.transaction().execute((trx) => remind(trx, request, hours, now));
  }
}
