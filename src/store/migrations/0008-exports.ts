import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which process writes the files of a night. */
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
