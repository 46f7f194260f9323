import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Erasures that wait for a second admin, hashes that identify erased people, and for each process the number of erasures
 * that it has read and the time at which it stopped.
 */
export const erasureRequestsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('erasure_requests')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('asked_by', 'text', (column) => column.notNull())
      .addColumn('asked_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('erasure_proofs')
      .addColumn('erasure', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('erasure_proofs_pk', ['erasure', 'hash'])
      .execute();
    await db.schema.alterTable('store_heartbeats').addColumn('erasures_read', 'integer').execute();
    await db.schema.alterTable('store_heartbeats').addColumn('stopped_at', 'text').execute();
  },
};
