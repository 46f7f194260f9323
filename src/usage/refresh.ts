import { isPlatformError } from '../platform/errors.ts';
import { dayOf, plusDays, type Day } from '../slack/periods.ts';
import type { UsageParts } from './parts.ts';

/** What may still change is looked at this often, so that a digest that was sent learns of it. */
const REFRESH_EVERY_MS = 30 * 60_000;
/** Days that have settled since they were read last are read once more. */
const REFRESHED_DAYS = 5;

/**
 * Reads the last days again where they may have changed. Their changes are noted with them; whoever built something on them
 * finds that out there.
 *
 * @returns a job for each minute that does something every half hour
 */
export function refreshFreshDays({
  days,
  clock,
  log,
}: Pick<UsageParts, 'days' | 'clock' | 'log'>): () => Promise<void> {
  let lastRefreshMs = clock.now().getTime();
  return async () => {
    const nowMs = clock.now().getTime();
    if (nowMs - lastRefreshMs < REFRESH_EVERY_MS) return;
    lastRefreshMs = nowMs;
    const today: Day = dayOf(clock.now());
    const period = { first: plusDays(today, -REFRESHED_DAYS), last: plusDays(today, -1) };
    const options = { maxAgeMs: REFRESH_EVERY_MS / 2 };
    const readings = await Promise.all([
      days.credits(period, options),
      days.activity(period, options),
      days.productivity(period, options),
      days.tools(period, options),
    ]);
    for (const reading of readings) {
      if (reading.kind === 'unreadable' && isPlatformError(reading.fault)) {
        log.warn(
          { err: reading.fault },
          'Days that may have changed could not be read again; it is tried in half an hour',
        );
      }
    }
  };
}
