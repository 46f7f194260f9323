import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The members of a watched group on each reported day, because members change. */
export const watchMembersMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('usage_watch_members')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('emails', 'text', (column) => column.notNull())
      .execute();
    await db.schema.alterTable('usage_watch_days').addColumn('members', 'text').execute();
  },
};
