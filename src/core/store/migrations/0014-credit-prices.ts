import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What a million credits cost, by the first day of each price. */
export const creditPricesMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('credit_prices')
      .addColumn('from_day', 'text', (column) => column.primaryKey())
      .addColumn('per_million', 'text', (column) => column.notNull())
      .addColumn('currency', 'text', (column) => column.notNull())
      .addColumn('changed_by', 'text')
      .addColumn('at', 'text', (column) => column.notNull())
      .execute();
  },
};
