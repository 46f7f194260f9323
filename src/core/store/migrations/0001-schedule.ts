import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Scheduled messages, and the subscriptions of channels to events. */
export const scheduleMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('subscriptions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('schedule', 'text', (column) => column.notNull())
      .addColumn('settings', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('next_due_at', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .addColumn('owner', 'text')
      .addColumn('changed_by', 'text')
      .addColumn('paused_reason', 'text')
      .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.createIndex('subscriptions_due').on('subscriptions').columns(['state', 'next_due_at']).execute();
    await db.schema
      .createTable('channel_subscriptions')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('filter', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('owner', 'text')
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('last_error', 'text')
      .addColumn('since', 'double precision')
      .addColumn('recent', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('channel_subscriptions_key', ['kind', 'channel', 'subject'])
      .execute();
  },
};
