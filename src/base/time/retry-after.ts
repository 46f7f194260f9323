/** A longer wait would only keep us silent, or overflow a date. */
export const MAX_RETRY_AFTER_MS = 60 * 60_000;

/**
 * Limits the wait that a server asked for to an hour. NaN counts as an hour.
 *
 * @example boundRetryAfterMs(9_999_999_999_999) // 3600000
 */
export function boundRetryAfterMs(waitMs: number): number {
  return waitMs < MAX_RETRY_AFTER_MS ? Math.max(0, Math.ceil(waitMs)) : MAX_RETRY_AFTER_MS;
}
