import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** One row per message that must be posted once, and its history. */
export const outboxMigration: Migration = {
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
      .addColumn('last_posting_at', 'text')
      .addColumn('channel_rests_until', 'text')
      .addColumn('unreadable_since', 'text')
      .addColumn('sent_at', 'text')
      .addColumn('message_channel', 'text')
      .addColumn('message_ts', 'text')
      .addColumn('reason', 'text')
      .addColumn('memo', 'text')
      .addColumn('thread_channel', 'text')
      .addColumn('thread_ts', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('deliveries_due').on('deliveries').columns(['state', 'next_attempt_at']).execute();
    await db.schema.createIndex('deliveries_kind').on('deliveries').columns(['kind', 'created_at']).execute();
    // An index finds the head of each channel's queue; the unique one allows one running delivery per channel.
    await sql`create index deliveries_queue on deliveries (channel, next_attempt_at, created_at, key)
      where state in ('waiting', 'unknown')`.execute(db);
    await sql`create unique index deliveries_under_way on deliveries (channel)
      where state in ('claimed', 'posting')`.execute(db);
    await sql`create index deliveries_rest on deliveries (channel, channel_rests_until)
      where channel_rests_until is not null`.execute(db);
    await sql`create index deliveries_open on deliveries (channel, kind, created_at, key)
      where state in ('waiting', 'claimed', 'posting', 'unknown')`.execute(db);
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
