import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** One row: on which day what was kept long enough was deleted last, and who does it now. */
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
