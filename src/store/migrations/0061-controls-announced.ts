import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Owner: controls. What was told stays known when the history goes back, so that it is not told again when it comes back. */
export const controlsAnnouncedMigration: Migration = {
  up: async (db) => {
    await db.schema
      .createTable('controls_announced')
      .addColumn('revision', 'double precision', (column) => column.notNull())
      .addColumn('digest', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('controls_announced_key', ['revision', 'digest'])
      .execute();
    await sql`insert into controls_announced (revision, digest)
      select revision, digest from revisions
      where revision <= (select max(revision) from controls_cursor)`.execute(db);
    await db.schema.alterTable('controls_cursor').addColumn('went_back_at', 'text').execute();
  },
};
