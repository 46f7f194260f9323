import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Owner: store. The last time of which the store may lack what was written: it was away, or an older copy was restored. */
export const storeSilencesMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('store_silences')
      .addColumn('place', 'text', (column) => column.primaryKey())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('since', 'text', (column) => column.notNull())
      .addColumn('until', 'text', (column) => column.notNull())
      .execute();
  },
};
