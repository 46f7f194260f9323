import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The events that Slack already delivered, and the acknowledged clicks and forms that are not finished. */
export const slackMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('seen_events')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('seen_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('seen_events_at').on('seen_events').column('seen_at').execute();
    await db.schema
      .createTable('pending_interactions')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('received_at', 'text', (column) => column.notNull())
      .addColumn('leased_until', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .execute();
  },
};
