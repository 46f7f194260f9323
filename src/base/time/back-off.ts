/** How long to wait before something that failed is tried again. */
export interface BackOff {
  firstMs: number;
  longestMs: number;
  /** How often it was tried so far, from 1. */
  attempt: number;
}

/** Past this the longest wait is long reached, and powers of two would leave the numbers. */
const MAX_DOUBLINGS = 20;

/**
 * Doubles with each attempt, up to the longest. Pure.
 *
 * @example backOffMs({ firstMs: 5_000, longestMs: 60_000, attempt: 3 }) // 20_000
 */
export function backOffMs({ firstMs, longestMs, attempt }: BackOff): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(MAX_DOUBLINGS, Math.max(0, attempt - 1)));
}

/** Between half and the whole of it, so that those who failed together come back apart. @param random from 0 to 1 */
export function spreadBackOffMs(backOff: BackOff, random: () => number): number {
  return Math.round(backOffMs(backOff) * (0.5 + random() / 2));
}
