import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Owner: outbox. What was said, for corrections, and the thread that a message answers in. */
export const deliveryThreadsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const column of ['memo', 'thread_channel', 'thread_ts'])
      await db.schema.alterTable('deliveries').addColumn(column, 'text').execute();
  },
};
