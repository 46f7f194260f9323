import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The judgement of each assessed day, for each channel and subject. */
export const usageWatchesMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('usage_watch_days')
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('judgement', 'text', (column) => column.notNull())
      .addColumn('amount', 'double precision', (column) => column.notNull())
      .addColumn('is_expected', 'integer', (column) => column.notNull())
      .addColumn('delivery_key', 'text')
      .addColumn('at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_watch_days_once', ['channel', 'subject', 'day'])
      .execute();
  },
};
