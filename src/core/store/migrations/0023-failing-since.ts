import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Since when each message of a subscription failed: a few failures within minutes end none. */
export const failingSinceMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('subscriptions').addColumn('failing_since', 'text').execute();
    await db.schema.alterTable('channel_subscriptions').addColumn('failing_since', 'text').execute();
  },
};
