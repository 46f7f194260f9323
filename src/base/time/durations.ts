export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** Of UTC: by the clocks of a zone, a day may be an hour longer or shorter. */
export const DAY_MS = 24 * HOUR_MS;
