import { MINUTE_MS } from '../../../../core/base/time/durations.ts';

export const EVENTS_A_MINUTE = 60;
/** Leaves some of the limit for events that notify a person. */
export const COUNTED_A_MINUTE = 50;
/** Above this many tokens, those without events in the last minute are removed. */
const SWEEP_ABOVE = 1_000;

export interface Rate {
  isFull(token: string, nowMs: number): boolean;
  /** @returns `false` if the limit is reached; the event then does not count */
  take(token: string, nowMs: number, most?: number): boolean;
}

/** Stores the times of each token’s events in the last minute, at most 60. Call it for existing tokens only. */
export function createRate(): Rate {
  const times = new Map<string, number[]>();
  const recent = (token: string, nowMs: number) => {
    // Times in the future are dropped, so that a clock set back locks no token out.
    const recentTimes = (times.get(token) ?? []).filter((at) => at > nowMs - MINUTE_MS && at <= nowMs);
    if (recentTimes.length === 0) times.delete(token);
    else times.set(token, recentTimes);
    return recentTimes;
  };
  return {
    isFull: (token, nowMs) => recent(token, nowMs).length >= EVENTS_A_MINUTE,
    take: (token, nowMs, most = EVENTS_A_MINUTE) => {
      if (times.size > SWEEP_ABOVE) for (const one of times.keys()) recent(one, nowMs);
      const recentTimes = recent(token, nowMs);
      if (recentTimes.length >= most) return false;
      times.set(token, [...recentTimes, nowMs]);
      return true;
    },
  };
}
