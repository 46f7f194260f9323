import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When each job began last, of those that one process does for all. */
export const jobTurnsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('job_turns')
      .addColumn('job', 'text', (column) => column.primaryKey())
      .addColumn('began_at', 'text', (column) => column.notNull())
      .execute();
  },
};
