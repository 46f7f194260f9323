import type { Clock } from '../../base/time/clock.ts';
import { readSlackFault } from './errors.ts';

/**
 * Asks again after each wait that Slack wants: for what takes many pages, where from the start it would never come further.
 *
 * @param onWait told how long it waits
 * @param signal ends the wait
 */
export async function repeatedly<Answer>(
  clock: Clock,
  read: () => Promise<Answer>,
  onWait: (waitMs: number) => void = () => {},
  signal?: AbortSignal,
): Promise<Answer> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const fault = readSlackFault(error);
      if (fault.kind !== 'rate_limited') throw error;
      onWait(fault.retryAfterMs);
      await clock.sleep(fault.retryAfterMs, signal);
    }
  }
}
