import type { PoliciesOf } from '../store/table-policy.ts';

/** The process that writes the files of a night, and whether all are written. */
// A type, because Kysely’s `withTables` takes no interface.
export type ExportTables = {
  export_nights: {
    /** The UTC day on which it begins. */
    night: string;
    leased_until: string | null;
    finished_at: string | null;
  };
};

export const exportPolicies: PoliciesOf<ExportTables> = { export_nights: { what: 'nights of exports' } };
