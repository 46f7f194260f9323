import type { Clock } from '../../base/time/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../base/time/durations.ts';
import { countOf } from '../../base/text/numbers.ts';
import { isFirstTime } from '../../slack/inbound/seen-events.ts';
import type { Database } from '../../store/tables.ts';

/** Of one person. Each check can read a month of people from the platform. */
export const MAX_CHECKS_AN_HOUR = 20;

/** Counts a check in the store, so that all replicas share the limit. @returns why there is none, or undefined */
export async function refusedCheck(
  { db, clock }: { db: Database; clock: Clock },
  slackId: string,
): Promise<string | undefined> {
  const now = clock.now();
  const hour = now.toISOString().slice(0, 13);
  for (let count = 1; count <= MAX_CHECKS_AN_HOUR; count += 1)
    if (await isFirstTime(db, `check:${slackId}:${hour}:${count}`, now)) return undefined;
  const minutes = Math.ceil((HOUR_MS - (now.getTime() % HOUR_MS)) / MINUTE_MS);
  return `You can check ${MAX_CHECKS_AN_HOUR} times an hour. Check again in ${countOf(minutes, 'minute')}.`;
}
