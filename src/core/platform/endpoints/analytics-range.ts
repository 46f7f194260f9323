import { z } from 'zod';

/** The first day that analytics exist for (API document: "data exists from 2026-01-14"). */
export const FIRST_ANALYTICS_DAY = '2026-01-14';

/** UTC, both days included. */
export interface AnalyticsPeriod {
  startDate: string;
  endDate: string;
}

/** The platform decides which days exist: the local idea of "yesterday" may be wrong. */
export const analyticsPeriod: z.ZodType<AnalyticsPeriod> = z
  .object({ startDate: z.iso.date(), endDate: z.iso.date() })
  .refine(({ startDate, endDate }) => startDate <= endDate, 'endDate must not be before startDate');
