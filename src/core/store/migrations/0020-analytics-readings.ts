import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which process reads a day from the platform, so that the others wait for it instead of reading it, too. */
export const analyticsReadingsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('analytics_readings')
      .addColumn('resource', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('leased_by', 'text', (column) => column.notNull())
      .addColumn('leased_until', 'text', (column) => column.notNull())
      .addColumn('ending', 'text')
      .addPrimaryKeyConstraint('analytics_readings_key', ['resource', 'day'])
      .execute();
  },
};
