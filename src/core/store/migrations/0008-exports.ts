import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The process that writes the files of each night. */
export const exportsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('export_nights')
      .addColumn('night', 'text', (column) => column.primaryKey())
      .addColumn('leased_until', 'text')
      .addColumn('finished_at', 'text')
      .execute();
  },
};
