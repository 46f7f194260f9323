import type { PoliciesOf } from '../../core/store/table-policy.ts';

/** The process that writes the files of a night, and whether all are written. */
// A type, because Kysely’s `withTables` takes no interface.
export type ExportTables = {
  exportNights: {
    /** The UTC day on which it begins. */
    night: string;
    leasedUntil: string | null;
    finishedAt: string | null;
  };
};

export const exportPolicies: PoliciesOf<ExportTables> = { exportNights: { what: 'nights of exports' } };
