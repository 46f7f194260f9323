/** How much of a Monday is used from Monday to Sunday. */
export const WEEKDAY_LEVELS = [1, 1.1, 1.1, 1, 0.85, 0.2, 0.15] as const;
export const WORKING_DAYS = 5;
