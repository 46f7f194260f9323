import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** To whom it said once what it is. */
export const welcomesMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('welcomes')
      .addColumn('place', 'text', (column) => column.primaryKey().notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .execute();
  },
};
