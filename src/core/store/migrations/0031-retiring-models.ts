import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Models that retire on a day, and the people who want no messages about them. */
export const retiringModelsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('retiring_models')
      .addColumn('model', 'text', (column) => column.primaryKey().notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('retires_on', 'text', (column) => column.notNull())
      .addColumn('successor', 'text')
      .addColumn('told_step', 'integer')
      .addColumn('set_by', 'text', (column) => column.notNull())
      .addColumn('set_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('retiring_model_stops')
      .addColumn('slack_id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .execute();
  },
};
