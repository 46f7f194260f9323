export interface BackOff {
  firstMs: number;
  longestMs: number;
  /** At least 1. */
  attempt: number;
}

/** The longest wait is reached long before, and higher powers of two would overflow. */
const MAX_DOUBLINGS = 20;

/** @example backOffMs({ firstMs: 5_000, longestMs: 60_000, attempt: 3 }) // 20_000: doubled with each attempt */
export function backOffMs({ firstMs, longestMs, attempt }: BackOff): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(MAX_DOUBLINGS, Math.max(0, attempt - 1)));
}

/** Returns half to all of the wait, so that calls that failed together retry apart. @param random from 0 to 1 */
export function spreadBackOffMs(backOff: BackOff, random: () => number): number {
  return Math.round(backOffMs(backOff) * (0.5 + random() / 2));
}

/** A longer wait would only keep us silent, or overflow a date. */
export const MAX_RETRY_AFTER_MS = 60 * 60_000;

/** The wait that a server asked for: at most an hour, also for NaN. @example boundRetryAfterMs(9e12) // 3_600_000 */
export function boundRetryAfterMs(waitMs: number): number {
  return waitMs < MAX_RETRY_AFTER_MS ? Math.max(0, Math.ceil(waitMs)) : MAX_RETRY_AFTER_MS;
}
