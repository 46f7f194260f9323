import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Owner: outbox. One row for each message that must be posted once, and its history. */
export const deliveriesMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('deliveries')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('due_at', 'text', (column) => column.notNull())
      .addColumn('next_attempt_at', 'text', (column) => column.notNull())
      .addColumn('leased_by', 'text')
      .addColumn('leased_until', 'text')
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('first_posting_at', 'text')
      .addColumn('sent_at', 'text')
      .addColumn('message_channel', 'text')
      .addColumn('message_ts', 'text')
      .addColumn('reason', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('deliveries_due').on('deliveries').columns(['state', 'next_attempt_at']).execute();
    await db.schema.createIndex('deliveries_channel').on('deliveries').columns(['channel', 'state']).execute();
    await db.schema
      .createTable('delivery_history')
      .addColumn('delivery_key', 'text', (column) => column.notNull().references('deliveries.key').onDelete('cascade'))
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addColumn('step', 'text', (column) => column.notNull())
      .addColumn('detail', 'text')
      .addPrimaryKeyConstraint('delivery_history_key', ['delivery_key', 'position'])
      .execute();
  },
};
