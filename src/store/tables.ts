import type { Kysely, Transaction } from 'kysely';

/**
 * The tables of the ground floor. Each part adds its own to this interface, beside their description, so that the store knows
 * none of those that stand on it. A feature keeps its own to itself with `db.withTables<ItsTables>()`.
 *
 * @example declare module './tables.ts' { interface Tables { deliveries: DeliveryTable } }
 */
export interface Tables {
  /** One row: the random name of this store, and the Slack workspace whose installation uses it. */
  store_identity: { place: 'here'; id: string; team_id: string | null };
  /** One row for each process that uses the store now, or did until lately. */
  store_heartbeats: {
    process: string;
    beat_at: string;
    padding: string;
    /** How many erasures it knows of; null: a version that does not say. */
    erasures_read: number | null;
    /** When it stopped properly. */
    stopped_at: string | null;
  };
  /** At most one row: the last time of which the store may lack what was written. */
  store_silences: { place: 'here'; reason: 'was_away' | 'went_back'; since: string; until: string };
}

export type Database = Kysely<Tables>;
/** What may be used inside a transaction. The outer `Database` waits for ever there on SQLite. */
export type DatabaseTransaction = Transaction<Tables>;
