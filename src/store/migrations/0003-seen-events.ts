import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Owner: slack. What Slack delivered already, because it may deliver again and Bolt drops nothing. */
export const seenEventsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('seen_events')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('seen_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('seen_events_at').on('seen_events').column('seen_at').execute();
  },
};
