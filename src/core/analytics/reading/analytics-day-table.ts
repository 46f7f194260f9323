/** The platform’s collections of daily totals, by the last part of their path and their grouping. */
export const TOTALS = ['tokens', 'tokens-by-model', 'tools', 'activity', 'productivity'] as const;

export type Resource = (typeof TOTALS)[number] | 'users';

/** The resources with rows of people. */
export const ROWS_RESOURCES = ['tokens', 'users'] as const satisfies readonly Resource[];
export type RowsResource = (typeof ROWS_RESOURCES)[number];

export const isRowsResource = (resource: Resource): resource is RowsResource =>
  ROWS_RESOURCES.some((each) => each === resource);

/** All times are ISO 8601 in UTC with milliseconds. */
export interface AnalyticsDayTable {
  resource: Resource;
  day: string;
  /** 0: the totals. From 1 on: rows of people, as versions before 0.4.0 stored them. */
  part: number;
  /**
   * The state when it was read; `settled` is never read again, `rolled_up` is settled with only its totals kept. A day with
   * columns is rolled up here, and its true state is beside them: so a process of version 0.3.0 reads its people again.
   */
  state: 'fresh' | 'settled' | 'rolled_up';
  readAt: string;
  /** When the facts were first read, or last differed from the earlier ones. */
  changedAt: string;
  /** A hash of all parts of the day together. */
  fingerprint: string;
  /** JSON in the shape of the resource. */
  facts: string;
}

/** The people of a day of `tokens` or `users`. */
export interface AnalyticsColumnsTable {
  resource: Resource;
  day: string;
  state: 'fresh' | 'settled';
  /** That of the day: columns of another one are not those of the day. */
  fingerprint: string;
  /** See `encodeColumns`: the keys are ids of `AnalyticsPeopleTable`. */
  bytes: Uint8Array;
}

/** Whom the columns are of. */
export interface AnalyticsPeopleTable {
  id: number;
  /** JSON of the id of the platform, and the e-mail or null. Two entries may be equal. */
  person: string;
}

/** One row, which each writing of columns and each deletion of people locks. */
export interface AnalyticsPeopleIdsTable {
  place: 'here';
  nextId: number;
  /** How often people were deleted: ids that were read before may be gone. */
  prunings: number;
  /** How often columns were written: people whom none named before may be named now. */
  writings: number;
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
    analyticsColumns: AnalyticsColumnsTable;
    analyticsPeople: AnalyticsPeopleTable;
    analyticsPeopleIds: AnalyticsPeopleIdsTable;
    analyticsReadings: AnalyticsReadingTable;
  }
}
