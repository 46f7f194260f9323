/** One row. */
interface RetentionRunTable {
  place: 'here';
  /** The UTC day on which a run ended last. */
  finished_on: string | null;
  leased_until: string | null;
}

// A type, because Kysely's `withTables` takes no interface.
export type RetentionTables = { retention_runs: RetentionRunTable };
