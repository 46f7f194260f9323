import type { Clock } from '../../base/time/clock.ts';
import { readSlackFault } from './errors.ts';

/** Repeats a read after each wait that Slack asks for. Only for single pages: restarting a long list never ends. */
export async function retryAfterRateLimits<Answer>(
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
