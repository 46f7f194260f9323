interface RetentionRunTable {
  place: 'here';
  /** The UTC day of the last completed run. */
  finishedOn: string | null;
  leasedUntil: string | null;
}

// A type, because Kysely’s `withTables` takes no interface.
export type RetentionTables = { retentionRuns: RetentionRunTable };
