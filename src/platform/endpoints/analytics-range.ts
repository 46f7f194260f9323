import { z } from 'zod';

/** The first day that analytics exist for (API document: "data exists from 2026-01-14"). */
export const FIRST_ANALYTICS_DAY = '2026-01-14';

/** First and last day (UTC, both included) of an analytics request. */
export interface AnalyticsPeriod {
  startDate: string;
  endDate: string;
}

/** Checks the form of a period. The platform decides which days exist: the local idea of "yesterday" may be wrong. */
export const analyticsPeriod: z.ZodType<AnalyticsPeriod> = z
  .object({ startDate: z.iso.date(), endDate: z.iso.date() })
  .refine(({ startDate, endDate }) => startDate <= endDate, 'endDate must not be before startDate');
