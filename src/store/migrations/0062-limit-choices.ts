import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Owner: limits. Of a request that an admin is asked about: the time that the store lacks, and who chose what comes of it. */
export const limitChoicesMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const column of ['unsure_since', 'unsure_until', 'chosen_by', 'chosen_at'])
      await db.schema.alterTable('limit_requests').addColumn(column, 'text').execute();
  },
};
