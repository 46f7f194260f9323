import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The hashed keys of deleted deliveries, so that none of them is ever posted again. */
export const outboxForgottenMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('forgotten_deliveries')
      .addColumn('key_hash', 'text', (column) => column.primaryKey())
      .execute();
  },
};
