/** The usage of each weekday, as a share of a Monday. */
export const WEEKDAY_LEVELS = [1, 1.1, 1.1, 1, 0.85, 0.2, 0.15] as const;
export const WORKING_DAYS = 5;
