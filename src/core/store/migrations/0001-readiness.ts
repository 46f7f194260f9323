import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The last announced score of each repository. */
export const readinessMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('readiness_seen')
      .addColumn('repository', 'text', (column) => column.primaryKey())
      .addColumn('report_id', 'text', (column) => column.notNull())
      .addColumn('score', 'text', (column) => column.notNull())
      .addColumn('seen_at', 'text', (column) => column.notNull())
      .execute();
  },
};
