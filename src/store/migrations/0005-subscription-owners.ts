import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Owner: schedule. Who set up a subscription and who changed it last, and how often in a row it could not be sent. */
export const subscriptionOwnersMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const column of ['owner', 'changed_by', 'paused_reason'])
      await db.schema.alterTable('subscriptions').addColumn(column, 'text').execute();
    await db.schema
      .alterTable('subscriptions')
      .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
