import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whether the only admin decided their own request for others, and which admin pressed Undo. */
export const limitsDecisionsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('limit_requests').addColumn('decided_alone', 'integer').execute();
    await db.schema.alterTable('limit_requests').addColumn('undone_by', 'text').execute();
    await db.schema.alterTable('limit_requests').addColumn('undone_at', 'text').execute();
  },
};
