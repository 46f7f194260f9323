import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The readers who saw figures of individual people by name, once per day. */
export const figureLooksMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('figure_looks')
      .addColumn('looker', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('what', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('figure_looks_once', ['subject', 'day', 'looker', 'what'])
      .execute();
    await db.schema.createIndex('figure_looks_day').on('figure_looks').column('day').execute();
  },
};
