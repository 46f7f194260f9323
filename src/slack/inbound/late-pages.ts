import type { Logger } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import { readSlackFault } from '../connection/errors.ts';

/** Slack lets an app publish so many pages a minute: after a pause, a few at once find out whether it may go on. */
const AT_ONCE = 4;

/** Publishes pages, and those that Slack has no time for now as soon as it has. */
export interface LatePages {
  /** @returns `waiting` if Slack asked to wait: the page of this person follows, as it is then */
  publish(slackId: string): Promise<'published' | 'waiting'>;
  /** Whether Slack asked to wait. */
  isResting(): boolean;
  stop(): void;
}

/**
 * Keeps who waits for a page while Slack refuses `views.publish` with a 429. Each person gets one page, the newest, however
 * often they opened it meanwhile.
 *
 * @param publish makes the page and publishes it; it throws what web-api throws
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
  let draining: Promise<void> | undefined;

  const restMs = () => Math.max(0, restsUntilMs - clock.now().getTime());
  const publishOrWait = async (slackId: string): Promise<'published' | 'waiting'> => {
    try {
      await deps.publish(slackId);
      return 'published';
    } catch (error) {
      const fault = readSlackFault(error);
      if (fault.kind !== 'rate_limited') throw error;
      if (restMs() === 0)
        log.warn({ waiting: late.size + 1, delayMs: fault.retryAfterMs }, 'Pages of App Home wait for Slack');
      restsUntilMs = Math.max(restsUntilMs, clock.now().getTime() + fault.retryAfterMs);
      late.add(slackId);
      return 'waiting';
    }
  };
  const drain = async () => {
    while (late.size > 0) {
      // A rest that is over by now resolves at once.
      await clock.sleep(restMs(), stopping.signal);
      const next = [...late].slice(0, AT_ONCE);
      for (const slackId of next) late.delete(slackId);
      await Promise.all(
        next.map((slackId) =>
          publishOrWait(slackId).catch((error: unknown) =>
            log.error({ err: error, user: slackId }, 'App Home could not be shown'),
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
    isResting: () => restMs() > 0,
    stop: () => stopping.abort(),
  };
}
