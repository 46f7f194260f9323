import { MINUTE_MS } from './durations.ts';

/** After a longer jump of the clock, what runs each minute runs once. Nobody walks through days of missed minutes. */
const MAX_MINUTES = 60;

/** The starts of the minutes that passed, in order; `jumped`: the clock was set back, or far ahead. */
export type PassedMinutes = readonly Date[] | 'jumped';

export const untilNextMinuteMs = (nowMs: number): number => MINUTE_MS - (nowMs % MINUTE_MS);

/** Returns a function that tells which minutes began since its last call; undefined within the same minute. */
export function createMinuteWatch(nowMs: () => number): () => PassedMinutes | undefined {
  const readMinute = () => Math.floor(nowMs() / MINUTE_MS);
  let last = readMinute();
  return () => {
    const [before, current] = [last, readMinute()];
    last = current;
    const count = current - before;
    if (count === 0) return undefined;
    if (count < 0 || count > MAX_MINUTES) return 'jumped';
    return Array.from({ length: count }, (_, index) => new Date((before + 1 + index) * MINUTE_MS));
  };
}
