import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The acknowledgements of notices, each up to one of their revisions. */
export const controlsAcknowledgedMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('controls_acknowledged')
      .addColumn('notice_key', 'text', (column) => column.notNull())
      .addColumn('through', 'double precision', (column) => column.notNull())
      .addColumn('slack_id', 'text', (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('controls_acknowledged_key', ['notice_key', 'through'])
      .execute();
  },
};
