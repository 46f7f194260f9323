import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which channels get a repository whose score moved, and what was announced last. */
export const readinessMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('readiness_watches')
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('repository', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('readiness_watches_key', ['channel', 'repository'])
      .execute();
    await db.schema
      .createTable('readiness_seen')
      .addColumn('repository', 'text', (column) => column.primaryKey())
      .addColumn('report_id', 'text', (column) => column.notNull())
      .addColumn('score', 'text', (column) => column.notNull())
      .addColumn('seen_at', 'text', (column) => column.notNull())
      .execute();
  },
};
