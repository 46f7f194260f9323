import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The user groups that `/usage teams` shows. */
export const usageMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('usage_teams')
      .addColumn('group_id', 'text', (column) => column.primaryKey())
      .addColumn('chosen_by', 'text', (column) => column.notNull())
      .addColumn('chosen_at', 'text', (column) => column.notNull())
      .execute();
  },
};
