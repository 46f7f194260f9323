import type { PoliciesOf } from '../../core/store/table-policy.ts';

interface RetentionRunTable {
  place: 'here';
  /** The UTC day of the last completed run. */
  finishedOn: string | null;
  leasedUntil: string | null;
}

// A type, because Kysely’s `withTables` takes no interface.
export type RetentionTables = { retentionRuns: RetentionRunTable };

export const retentionPolicies: PoliciesOf<RetentionTables> = {
  retentionRuns: { what: 'when old rows were deleted' },
};
