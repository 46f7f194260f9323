import { MINUTE_MS } from '../../../base/time/durations.ts';

export const EVENTS_A_MINUTE = 60;
/** What is only counted leaves some of them for what an agent says to its person. */
export const COUNTED_A_MINUTE = 50;
/** Past so many tokens those that were quiet for a minute are forgotten. */
const SWEEP_ABOVE = 1_000;

/** Holds each token to its pace, in this process. */
export interface Rate {
  isFull(token: string, nowMs: number): boolean;
  /** @returns `false` when this one is too much; then it counts for nothing */
  take(token: string, nowMs: number, most?: number): boolean;
}

/** Knows of each token when its events of the last minute came: at most sixty numbers. Only tokens that exist may be asked about. */
export function createRate(): Rate {
  const times = new Map<string, number[]>();
  const recent = (token: string, nowMs: number) => {
    // A clock that was set back must keep nobody out.
    const kept = (times.get(token) ?? []).filter((at) => at > nowMs - MINUTE_MS && at <= nowMs);
    if (kept.length === 0) times.delete(token);
    else times.set(token, kept);
    return kept;
  };
  return {
    isFull: (token, nowMs) => recent(token, nowMs).length >= EVENTS_A_MINUTE,
    take: (token, nowMs, most = EVENTS_A_MINUTE) => {
      if (times.size > SWEEP_ABOVE) for (const one of times.keys()) recent(one, nowMs);
      const kept = recent(token, nowMs);
      if (kept.length >= most) return false;
      times.set(token, [...kept, nowMs]);
      return true;
    },
  };
}
