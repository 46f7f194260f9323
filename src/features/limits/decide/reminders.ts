import { isWorkingTime } from '../core/working-time.ts';
import { HOUR_MS } from '../../../core/base/time/durations.ts';
import { remind } from '../core/notify.ts';
import { expireRequest } from './decide.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { listRequests } from '../core/requests.ts';
import { WAITING } from '../core/states.ts';

/** Later first: if both were missed, only one reminder is sent. */
const REMINDED_AFTER_HOURS = [24, 4];

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
