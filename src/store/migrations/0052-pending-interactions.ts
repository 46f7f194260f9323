import type { Migration } from 'kysely/migration';

/** Owner: slack. One row for each click or form that was acknowledged and is not finished. */
export const pendingInteractionsMigration: Migration = {
  up: async (db) => {
    await db.schema
      .createTable('pending_interactions')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('received_at', 'text', (column) => column.notNull())
      .addColumn('leased_until', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .execute();
  },
};
