import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Owner: store. Who did what, and when. */
export const auditMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('audit')
      .addColumn('about', 'text', (column) => column.notNull())
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('detail', 'text')
      .addPrimaryKeyConstraint('audit_key', ['about', 'position'])
      .execute();
    await db.schema.createIndex('audit_time').on('audit').column('at').execute();
  },
};
