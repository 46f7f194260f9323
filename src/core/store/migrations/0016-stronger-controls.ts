import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The number of changes that strengthen a protection; null for revisions that were compared before. */
export const strongerControlsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('revisions').addColumn('stronger', 'integer').execute();
  },
};
