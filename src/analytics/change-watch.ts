import type { Clock } from '../base/time/clock.ts';
import { createCache } from '../base/cache.ts';
import type { Period } from '../base/time/calendar.ts';
import type { AnalyticsDays } from './days.ts';

/** How long what the platform said about days that may still change is taken for its last word, when sent digests are checked. */
const CHANGE_LIFE_MS = 5 * 60_000;

/** Asks the platform about days that may still change, once for all digests about them; others cost it nothing. */
export function watchChanges(days: AnalyticsDays, clock: Clock): (period: Period, since: Date) => Promise<boolean> {
  const reads = createCache(clock, CHANGE_LIFE_MS, async (dates: string) => {
    const [first = '', last = ''] = dates.split('..');
    const period = { first, last };
    await Promise.all([days.credits(period), days.tools(period), days.activity(period), days.productivity(period)]);
  });
  return async (period, since) => {
    // What was read so lately is the platform’s last word, too.
    const isFresh = clock.now().getTime() - since.getTime() < CHANGE_LIFE_MS;
    if (!isFresh) await reads.get(`${period.first}..${period.last}`);
    return days.changedAfter(period, since);
  };
}
