import { type Kysely, sql, SqliteAdapter } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The people of stored days as columns, and whom they are of. Days that earlier versions stored keep their rows until they
 * are needed.
 */
export const peopleColumnsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    const bytes = db.getExecutor().adapter instanceof SqliteAdapter ? sql`blob` : sql`bytea`;
    await db.schema
      .createTable('analytics_people')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('person', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('analytics_people_ids')
      .addColumn('place', 'text', (column) => column.primaryKey())
      .addColumn('next_id', 'integer', (column) => column.notNull())
      .addColumn('prunings', 'integer', (column) => column.notNull())
      .addColumn('writings', 'integer', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('analytics_columns')
      .addColumn('resource', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('bytes', bytes, (column) => column.notNull())
      .addPrimaryKeyConstraint('analytics_columns_key', ['resource', 'day'])
      .execute();
  },
};
