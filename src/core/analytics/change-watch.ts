import type { Clock } from '../base/time/clock.ts';
import { createCache } from '../base/cache.ts';
import type { Period } from '../base/time/calendar.ts';
import type { AnalyticsDays } from './days.ts';

/** How long an answer about days that may still change counts as current when sent digests are checked. */
const CHANGE_LIFE_MS = 5 * 60_000;

/** Reads days that may still change, once for all digests about them; other digests cause no request. */
export function watchChanges(days: AnalyticsDays, clock: Clock): (period: Period, since: Date) => Promise<boolean> {
  const reads = createCache(clock, CHANGE_LIFE_MS, async (period: Period) => {
    await Promise.all([days.credits(period), days.tools(period), days.activity(period), days.productivity(period)]);
  });
  return async (period, since) => {
    const isFresh = clock.now().getTime() - since.getTime() < CHANGE_LIFE_MS;
    if (!isFresh) await reads.get(period);
    return days.changedAfter(period, since);
  };
}
