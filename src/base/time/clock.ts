import { schedule } from 'node-cron';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Where the program gets its time from. Everything that waits or asks what time it is takes a Clock, so that a test
 * (and the sandbox page) can move it to the next morning.
 */
export interface Clock {
  now(): Date;
  /** Resolves after `delayMs`; rejects with the signal's reason as soon as it is aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Calls `run` at the start of each minute (UTC) until the returned function is called. */
  everyMinute(run: () => void): () => void;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  sleep: async (delayMs, signal) => {
    signal?.throwIfAborted();
    try {
      await delay(delayMs, undefined, signal ? { signal } : {});
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
  everyMinute: (run) => {
    const task = schedule('* * * * *', run, { timezone: 'UTC' });
    return () => void task.destroy();
  },
};
