import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which optional operations the platform has, and where its readiness reports are. */
export const platformCapabilitiesMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('platform_capabilities')
      .addColumn('operation', 'text', (column) => column.primaryKey().notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('since', 'text', (column) => column.notNull())
      .addColumn('asked_at', 'text', (column) => column.notNull())
      .addColumn('read_at', 'text')
      .addColumn('reason', 'text')
      .execute();
    await db.schema
      .createTable('platform_places')
      .addColumn('operation', 'text', (column) => column.primaryKey().notNull())
      .addColumn('place', 'text', (column) => column.notNull())
      .execute();
  },
};
