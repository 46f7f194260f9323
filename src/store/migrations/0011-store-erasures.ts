import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Erasures that need a second admin, proofs of who decided something, and the erasures that each process knows. */
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
