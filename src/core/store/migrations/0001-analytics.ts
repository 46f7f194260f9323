import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The facts of each day, so that a settled day is fetched only once. */
export const analyticsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('analytics_days')
      .addColumn('resource', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('part', 'integer', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('read_at', 'text', (column) => column.notNull())
      .addColumn('changed_at', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('facts', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('analytics_days_key', ['resource', 'day', 'part'])
      .execute();
  },
};
