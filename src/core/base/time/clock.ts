import { schedule } from 'node-cron';
import { setTimeout as delay } from 'node:timers/promises';

/** Any code that waits or reads the time takes a Clock, so that a test or the sandbox page can move the time. */
export interface Clock {
  now(): Date;
  /** Resolves after `delayMs`; rejects with the signal's reason as soon as it is aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /**
   * Calls `run` at the times of a cron expression (UTC) until the returned function is called, never while an earlier
   * call still runs. After a jump of the wall clock it calls `run` once, so that no time is skipped.
   */
  schedule(cron: string, run: () => Promise<void>): () => void;
  /** Only for a clock that people move by hand: the first time it showed at or after an instant, if it passed it. */
  reachedAt?(instant: Date): Date;
}

/** The reason for ending a sleep early. Without one, each abort makes an exception with its stack, which takes long. */
export const NOT_NEEDED = new Error('No longer needed');

/** When the clock reached an instant. It is a later time only if the clock was moved past it, which is no downtime. */
export const timeReached = ({ reachedAt }: Pick<Clock, 'reachedAt'>, instant: Date): Date =>
  reachedAt?.(instant) ?? instant;

const CLOCK_CHECK_MS = 15_000;
/** Slewing by NTP changes the clock by less than this between two checks. */
const MOVED_BY_MS = 2_000;

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
  schedule: (cron, run) => {
    const begin = () => schedule(cron, run, { timezone: 'UTC', noOverlap: true, suppressMissedWarning: true });
    let task = begin();
    // node-cron waits for an instant of the wall clock: after a step back, it would not run until the clock caught up.
    const stopChecking = onWallClockMoved(() => {
      void task.destroy();
      task = begin();
      void run();
    });
    return () => {
      stopChecking();
      void task.destroy();
    };
  },
};

const readOffsetMs = () => Date.now() - performance.now();

function onWallClockMoved(act: () => void): () => void {
  let offsetMs = readOffsetMs();
  const timer = setInterval(() => {
    const before = offsetMs;
    offsetMs = readOffsetMs();
    if (Math.abs(offsetMs - before) >= MOVED_BY_MS) act();
  }, CLOCK_CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
