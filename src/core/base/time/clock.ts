import { setTimeout as delay } from 'node:timers/promises';
import { type PassedMinutes, createMinuteWatch, untilNextMinuteMs } from './calendar.ts';

/** Any code that waits or reads the time takes a Clock, so that a test or the sandbox page can move the time. */
export interface Clock {
  now(): Date;
  /** Resolves after `delayMs`; rejects with the signal's reason as soon as it is aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /**
   * Calls `act` at once as after a jump, then whenever minutes of the wall clock began, until the returned function is
   * called.
   */
  eachMinute(act: (passed: PassedMinutes) => Promise<void>): () => void;
  /** Only for a clock that people move by hand: the first time it showed at or after an instant, if it passed it. */
  reachedAt?(instant: Date): Date;
}

/** The reason for ending a sleep early. Without one, each abort makes an exception with its stack, which takes long. */
export const NOT_NEEDED = new Error('No longer needed');

/** When the clock reached an instant. It is a later time only if the clock was moved past it, which is no downtime. */
export const timeReached = ({ reachedAt }: Pick<Clock, 'reachedAt'>, instant: Date): Date =>
  reachedAt?.(instant) ?? instant;

/** A timer does not follow the wall clock, so a jump is noticed within this time. */
const LONGEST_WAIT_MS = 15_000;

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
  eachMinute: (act) => {
    const readPassed = createMinuteWatch(Date.now);
    let timer: NodeJS.Timeout;
    const wait = () => {
      timer = setTimeout(look, Math.min(untilNextMinuteMs(Date.now()), LONGEST_WAIT_MS));
    };
    const look = () => {
      wait();
      const passed = readPassed();
      if (passed !== undefined) void act(passed);
    };
    wait();
    void act('jumped');
    return () => clearTimeout(timer);
  },
};
