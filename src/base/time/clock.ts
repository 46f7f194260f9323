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
  /**
   * Calls `run` at the times of a cron expression (UTC), never while an earlier call of it lasts, until the returned function
   * is called. After the wall clock was moved it calls `run` once, so that no time is skipped.
   */
  schedule(cron: string, run: () => Promise<void>): () => void;
  /** Only of a clock that people move by hand: the first time that it showed at or after an instant, if it passed that. */
  reachedAt?(instant: Date): Date;
}

/** When an instant came: later than itself only if the clock was moved past it, which is no downtime. */
export const whenReached = ({ reachedAt }: Pick<Clock, 'reachedAt'>, instant: Date): Date =>
  reachedAt?.(instant) ?? instant;

const CLOCK_CHECK_MS = 15_000;
/** Slewing by NTP changes less between two checks. */
const MOVED_BY_MS = 2_000;

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
  schedule: (cron, run) => {
    const begin = () => schedule(cron, run, { timezone: 'UTC', noOverlap: true, suppressMissedWarning: true });
    let task = begin();
    // node-cron waits until an instant of the wall clock: after that was set back, it would not run until the clock caught up.
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

/** How far the wall clock is ahead of a clock that only counts. */
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
