import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The audit log, the store's identity, the heartbeats of its processes, and the last gap in its data. */
export const storeMigration: Migration = {
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
    await db.schema
      .createTable('store_identity')
      .addColumn('place', 'text', (column) => column.primaryKey())
      .addColumn('id', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('store_heartbeats')
      .addColumn('process', 'text', (column) => column.primaryKey())
      .addColumn('beat_at', 'text', (column) => column.notNull())
      .addColumn('padding', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('store_silences')
      .addColumn('place', 'text', (column) => column.primaryKey())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('since', 'text', (column) => column.notNull())
      .addColumn('until', 'text', (column) => column.notNull())
      .execute();
  },
};
