import type { Kysely, Transaction } from 'kysely';

/**
 * Each part adds its own tables beside their description, so that the store does not know the parts above it. A feature
 * keeps its tables private with `db.withTables<ItsTables>()`.
 *
 * @example declare module './tables.ts' { interface Tables { deliveries: DeliveryTable } }
 */
export interface Tables {
  store_identity: { place: 'here'; id: string; team_id: string | null };
  /** One row per process that uses the store now, or did until recently. */
  store_heartbeats: {
    process: string;
    beat_at: string;
    padding: string;
    /** The number of erasures that the process knows; null if its version does not record it. */
    erasures_read: number | null;
    /** When it stopped properly. */
    stopped_at: string | null;
  };
  /** At most one row: the last time span whose writes may be missing from the store. */
  store_silences: { place: 'here'; reason: 'was_away' | 'went_back'; since: string; until: string };
}

export type Database = Kysely<Tables>;
/** The only database handle to use inside a transaction. On SQLite, the outer `Database` would wait forever there. */
export type DatabaseTransaction = Transaction<Tables>;
