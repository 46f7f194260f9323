import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Redacted revisions of the enterprise controls, and the last one that was announced. */
export const controlsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('revisions')
      .addColumn('revision', 'double precision', (column) => column.primaryKey())
      .addColumn('settings', 'text', (column) => column.notNull())
      .addColumn('digest', 'text', (column) => column.notNull())
      .addColumn('redaction', 'integer', (column) => column.notNull())
      .addColumn('user_id', 'text')
      .addColumn('user_name', 'text')
      .addColumn('user_email', 'text')
      .addColumn('changed_at', 'text', (column) => column.notNull())
      .addColumn('seen_at', 'text', (column) => column.notNull())
      .addColumn('previous', 'double precision')
      .addColumn('members', 'text')
      .addColumn('weaker', 'integer')
      .execute();
    await db.schema
      .createTable('controls_cursor')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('revision', 'double precision')
      .addColumn('epoch', 'integer', (column) => column.notNull())
      .addColumn('started_at', 'text')
      .addColumn('next_poll_at', 'text', (column) => column.notNull())
      .addColumn('leased_by', 'text')
      .addColumn('leased_until', 'text')
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('last_error', 'text')
      .addColumn('read_at', 'text')
      .addColumn('went_back_to', 'double precision')
      .addColumn('went_back_at', 'text')
      .execute();
    await db.schema
      .createTable('controls_announced')
      .addColumn('revision', 'double precision', (column) => column.notNull())
      .addColumn('digest', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('controls_announced_key', ['revision', 'digest'])
      .execute();
  },
};
