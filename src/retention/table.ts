import type { PoliciesOf } from '../store/table-policy.ts';

interface RetentionRunTable {
  place: 'here';
  /** The UTC day of the last completed run. */
  finished_on: string | null;
  leased_until: string | null;
}

// A type, because Kysely’s `withTables` takes no interface.
export type RetentionTables = { retention_runs: RetentionRunTable };

export const retentionPolicies: PoliciesOf<RetentionTables> = {
  retention_runs: { what: 'when old rows were deleted' },
};
