import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** One row: the day of the last deletion of old data, and the lease of the process that deletes now. */
export const retentionMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('retention_runs')
      .addColumn('place', 'text', (column) => column.primaryKey())
      .addColumn('finished_on', 'text')
      .addColumn('leased_until', 'text')
      .execute();
  },
};
