import type { Logger } from '../../base/log.ts';
import { backOffMs, RATE_LIMITED, waitAskedMs } from '../../base/time/back-off.ts';
import type { Clock } from '../../base/time/clock.ts';
import { readSlackFault } from '../client/errors.ts';

/** Slack limits the pages per minute. After a pause one is tried, and then a few at a time. */
const AT_ONCE = 4;

export interface LatePages {
  /** `waiting`: Slack asked to wait; the page follows later, with its contents at that time. */
  publish(slackId: string): Promise<'published' | 'waiting'>;
  isRateLimited(): boolean;
  stop(): void;
}

/**
 * Remembers who waits for a page while Slack refuses `views.publish` with a 429. Each person gets one page, the newest.
 *
 * @param publish makes the page and publishes it; throws the errors of web-api
 */
export function createLatePages(deps: {
  publish: (slackId: string) => Promise<void>;
  clock: Clock;
  log: Logger;
}): LatePages {
  const { clock, log } = deps;
  const late = new Set<string>();
  const stopping = new AbortController();
  let restsUntilMs = 0;
  /** Since the last page that Slack took. */
  let refusals = 0;
  let draining: Promise<void> | undefined;

  const restMs = () => Math.max(0, restsUntilMs - clock.now().getTime());
  const publishOrWait = async (slackId: string): Promise<'published' | 'waiting'> => {
    try {
      await deps.publish(slackId);
      refusals = 0;
      return 'published';
    } catch (error) {
      const fault = readSlackFault(error);
      if (fault.kind !== 'rate_limited') throw error;
      // The others of a few were sent before the first refusal.
      if (restMs() === 0) refusals += 1;
      const delayMs = waitAskedMs(fault.askedMs, backOffMs({ ...RATE_LIMITED, attempt: refusals }));
      if (restMs() === 0) log.warn({ waiting: late.size + 1, delayMs }, 'Pages of App Home wait for Slack');
      restsUntilMs = Math.max(restsUntilMs, clock.now().getTime() + delayMs);
      late.add(slackId);
      return 'waiting';
    }
  };
  const drain = async () => {
    while (late.size > 0) {
      // If the rest is already over, this resolves at once.
      await clock.sleep(restMs(), stopping.signal);
      const next = [...late].slice(0, refusals > 0 ? 1 : AT_ONCE);
      for (const slackId of next) late.delete(slackId);
      await Promise.all(
        next.map((slackId) =>
          publishOrWait(slackId).catch((error: unknown) =>
            log.error({ err: error, user: slackId }, 'Showing App Home failed'),
          ),
        ),
      );
    }
  };
  const drainSoon = () => {
    draining ??= drain()
      .catch(() => undefined)
      .finally(() => {
        draining = undefined;
      });
  };
  return {
    publish: async (slackId) => {
      if (restMs() > 0) late.add(slackId);
      const outcome = late.has(slackId) ? 'waiting' : await publishOrWait(slackId);
      if (outcome === 'waiting') drainSoon();
      return outcome;
    },
    isRateLimited: () => restMs() > 0,
    stop: () => stopping.abort(),
  };
}
