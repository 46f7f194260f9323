import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Owner: outbox. What was planned lately is asked for by kind. */
export const deliveriesByKindMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.createIndex('deliveries_kind').on('deliveries').columns(['kind', 'created_at']).execute();
  },
};
