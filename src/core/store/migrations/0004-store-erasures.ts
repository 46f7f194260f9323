import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The erased people, as hashes, so that later reads do not bring their data back. */
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
