import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The person who last changed the state of a watch. */
export const pausedWatchesMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('channel_subscriptions').addColumn('changed_by', 'text').execute();
  },
};
