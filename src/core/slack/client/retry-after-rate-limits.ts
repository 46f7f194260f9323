import { backOffMs, RATE_LIMITED, waitAskedMs } from '../../base/time/back-off.ts';
import type { Clock } from '../../base/time/clock.ts';
import { readSlackFault } from './errors.ts';

/** Repeats a read after each wait that Slack asks for. Only for single pages: restarting a long list never ends. */
export async function retryAfterRateLimits<Answer>(
  clock: Clock,
  read: () => Promise<Answer>,
  onWait: (waitMs: number) => void = () => {},
  signal?: AbortSignal,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      const fault = readSlackFault(error);
      if (fault.kind !== 'rate_limited') throw error;
      const waitMs = waitAskedMs(fault.askedMs, backOffMs({ ...RATE_LIMITED, attempt }));
      onWait(waitMs);
      await clock.sleep(waitMs, signal);
    }
  }
}
