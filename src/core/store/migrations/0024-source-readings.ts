import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How the readings of each part of a source of the platform ended. */
export const sourceReadingsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('source_readings')
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('part', 'text', (column) => column.notNull())
      .addColumn('read_at', 'text')
      .addColumn('failing_since', 'text')
      .addColumn('failed_at', 'text')
      .addColumn('last_error', 'text')
      .addPrimaryKeyConstraint('source_readings_key', ['source', 'part'])
      .execute();
  },
};
