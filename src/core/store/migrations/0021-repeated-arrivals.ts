import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Slack may send an interaction twice: each arrival has a row of its own, and one of them is carried out. */
export const repeatedArrivalsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('pending_interactions').addColumn('interaction', 'text').execute();
    await db.schema.alterTable('seen_events').addColumn('arrival', 'text').execute();
  },
};
