import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** One row per order of a computer, which is followed until the computer is ready. */
export const computersMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('computer_orders')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('person', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('body', 'text')
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('remote_user', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('computer_id', 'text', (column) => column.unique())
      .addColumn('known_ids', 'text')
      .addColumn('leased_until', 'text')
      .addColumn('sent_at', 'text')
      .addColumn('absent_since', 'text')
      .addColumn('followed_since', 'text')
      .addColumn('retried_at', 'text')
      .addColumn('retried_from', 'text')
      .addColumn('round', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('edit_number', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('shown', 'text')
      .addColumn('edited_at', 'text')
      .addColumn('ready_after_ms', 'integer')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('computer_orders_state')
      .on('computer_orders')
      .columns(['state', 'leased_until'])
      .execute();
    await db.schema
      .createIndex('computer_orders_person')
      .on('computer_orders')
      .columns(['person', 'created_at'])
      .execute();
  },
};
