import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The last notices to the admins about the health of Quartermaster. */
export const statusMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('status_notices')
      .addColumn('topic', 'text', (column) => column.primaryKey())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('since', 'text', (column) => column.notNull())
      .execute();
  },
};
