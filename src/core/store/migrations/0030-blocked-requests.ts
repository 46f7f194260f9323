import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Requests of people who cannot work until they are decided; at most one for each session of an agent. */
export const blockedRequestsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('limit_requests').addColumn('is_blocked', 'integer').execute();
    await db.schema.alterTable('limit_requests').addColumn('session_key', 'text').execute();
    await db.schema.createIndex('limit_requests_session').on('limit_requests').column('session_key').unique().execute();
  },
};
