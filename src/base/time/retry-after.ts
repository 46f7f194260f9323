/** A longer wait would only keep us silent, or overflow a date. */
export const MAX_RETRY_AFTER_MS = 60 * 60_000;

/** The wait that a server asked for: at most an hour, also for NaN. @example boundRetryAfterMs(9e12) // 3_600_000 */
export function boundRetryAfterMs(waitMs: number): number {
  return waitMs < MAX_RETRY_AFTER_MS ? Math.max(0, Math.ceil(waitMs)) : MAX_RETRY_AFTER_MS;
}
