import type { Kysely, Transaction } from 'kysely';

/**
 * The tables of the ground floor. Each part adds its own to this interface, beside their description, so that the store knows
 * none of those that stand on it. A feature keeps its own to itself with `db.withTables<ItsTables>()`.
 *
 * @example declare module '../store/tables.ts' { interface Tables { deliveries: DeliveryTable } }
 */
export interface Tables {
  /** The random name of this store: one row. */
  store_identity: { place: 'here'; id: string };
}

export type Database = Kysely<Tables>;
/** What may be used inside a transaction. The outer `Database` waits for ever there on SQLite. */
export type DatabaseTransaction = Transaction<Tables>;
