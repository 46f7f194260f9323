import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The Slack workspace whose installation uses the store. */
export const storeTeamMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('store_identity').addColumn('team_id', 'text').execute();
  },
};
