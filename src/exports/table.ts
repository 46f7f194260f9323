/** Which process writes the files of a night, and whether they are all there. */
// A type, because Kysely's `withTables` takes no interface.
export type ExportTables = {
  export_nights: {
    /** The UTC day that it begins on. */
    night: string;
    leased_until: string | null;
    finished_at: string | null;
  };
};
