import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The limits that were set before Quartermaster came, as admins declare them. */
export const limitsDeclaredMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('declared_limits')
      .addColumn('email', 'text', (column) => column.primaryKey())
      .addColumn('value', 'double precision', (column) => column.notNull())
      .addColumn('declared_by', 'text', (column) => column.notNull())
      .addColumn('declared_at', 'text', (column) => column.notNull())
      .execute();
  },
};
