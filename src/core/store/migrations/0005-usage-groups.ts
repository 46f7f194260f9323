import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Sums of groups that were shown to readers who may not see individual people. */
export const usageGroupsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('usage_group_sets')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('emails', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('usage_group_sums')
      .addColumn('set_id', 'text', (column) => column.notNull())
      .addColumn('first_day', 'text', (column) => column.notNull())
      .addColumn('last_day', 'text', (column) => column.notNull())
      .addColumn('is_by_day', 'integer', (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_group_sums_once', ['set_id', 'first_day', 'last_day', 'is_by_day'])
      .execute();
    await db.schema.createIndex('usage_group_sums_last').on('usage_group_sums').column('last_day').execute();
    // Before a sum is shown, the next version is inserted. If two do so at once, one fails and decides again.
    await db.schema
      .createTable('usage_group_versions')
      .addColumn('version', 'integer', (column) => column.primaryKey())
      .execute();
  },
};
