/** The platform’s collections of daily totals, by the last part of their path and their grouping. */
export const TOTALS = ['tokens', 'tokens-by-model', 'tools', 'activity', 'productivity'] as const;

export type Resource = (typeof TOTALS)[number] | 'users';

/** All times are ISO 8601 in UTC with milliseconds. */
export interface AnalyticsDayTable {
  resource: Resource;
  day: string;
  /** 0: the totals. From 1 on: rows of people, few enough for a part to be decoded without blocking the process. */
  part: number;
  /** The state when it was read; `settled` is never read again, `rolled_up` is settled with only its totals kept. */
  state: 'fresh' | 'settled' | 'rolled_up';
  readAt: string;
  /** When the facts were first read, or last differed from the earlier ones. */
  changedAt: string;
  /** A hash of all parts of the day together. */
  fingerprint: string;
  /** JSON in the shape of the resource. */
  facts: string;
}

/** `stored`: every process finds the day in the store. `unpublished`: the platform has not published it. */
export type ReadingEnding = 'stored' | 'unpublished' | 'failed';

/** See `createSharedReadings`. Its times are those of the store. */
export interface AnalyticsReadingTable {
  resource: Resource;
  day: string;
  leasedBy: string;
  leasedUntil: string;
  /** Null while the day is being read. */
  ending: ReadingEnding | null;
}

declare module '../../store/tables.ts' {
  interface Tables {
    analyticsDays: AnalyticsDayTable;
    analyticsReadings: AnalyticsReadingTable;
  }
}
