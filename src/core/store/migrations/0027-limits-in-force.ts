import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The limits that the platform showed last. */
export const limitsInForceMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('platform_limits')
      .addColumn('email', 'text', (column) => column.primaryKey().notNull())
      .addColumn('shown', 'text', (column) => column.notNull())
      .addColumn('shown_before', 'text')
      .addColumn('changed_at', 'text', (column) => column.notNull())
      .addColumn('is_told', 'integer', (column) => column.notNull())
      .execute();
  },
};

/** What the platform showed before a request, and limits that are removed instead of set. */
export const limitsShownBeforeMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('limit_request_people').addColumn('shown_before', 'text').execute();
    await db.schema.alterTable('limit_request_people').addColumn('returns_to_none', 'integer').execute();
    await db.schema.alterTable('limit_request_people').addColumn('removes', 'integer').execute();
    await db.schema.alterTable('limit_ledger').addColumn('removed', 'integer').execute();
  },
};
