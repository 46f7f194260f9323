import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Owner: store. Its identity tells a store that was emptied or replaced while it was in use from the one that was opened; by
 * its heartbeats the processes that use it prove that it can be written, and see each other.
 */
export const storeHealthMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('store_identity')
      .addColumn('place', 'text', (column) => column.primaryKey())
      .addColumn('id', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('store_heartbeats')
      .addColumn('process', 'text', (column) => column.primaryKey())
      .addColumn('beat_at', 'text', (column) => column.notNull())
      .addColumn('padding', 'text', (column) => column.notNull())
      .execute();
  },
};
