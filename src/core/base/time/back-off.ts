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

/** Own waits after a 429: at most three calls in five seconds. */
export const RATE_LIMITED = { firstMs: 2_000, longestMs: 60_000 } as const;

/** A longer wait would only keep us silent, or overflow a date. */
export const MAX_ASKED_MS = 60 * 60_000;

/**
 * The wait that a server asked for, and never less than our own: `Retry-After: 0` is allowed, and would make an endless
 * loop of calls. At most an hour, unless our own is longer. Each wait of which a server names the length comes from here.
 *
 * @param askedMs as the server named it, whatever that is; undefined if it did not
 * @example waitAskedMs(0, 2_000) // 2_000; waitAskedMs(9e12, 2_000) is 3_600_000
 */
export function waitAskedMs(askedMs: number | undefined, ownMs: number): number {
  if (askedMs === undefined || Number.isNaN(askedMs)) return ownMs;
  return Math.max(ownMs, Math.min(MAX_ASKED_MS, Math.ceil(askedMs)));
}
