import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whose data was erased, by hashes, so that what is read later does not bring them back. */
export const erasuresMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('erasures')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('pseudonyms', 'text', (column) => column.notNull())
      .addColumn('identifiers', 'text')
      .addColumn('asked_by', 'text', (column) => column.notNull())
      .addColumn('asked_at', 'text', (column) => column.notNull())
      .addColumn('next_at', 'text', (column) => column.notNull())
      .addColumn('finished_at', 'text')
      .execute();
  },
};
