import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who is asked to decide requests, in which order, and the first of two approvals. */
export const limitApproversMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await createRules(db);
    await createTurns(db);
    await db.schema.alterTable('limit_requests').addColumn('first_approved_by', 'text').execute();
    await db.schema.alterTable('limit_requests').addColumn('first_approved_email', 'text').execute();
    await db.schema.alterTable('limit_requests').addColumn('first_approved_at', 'text').execute();
  },
};

async function createRules(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('limit_approver_rules')
    .addColumn('place', 'text', (column) => column.primaryKey())
    .addColumn('hours', 'integer', (column) => column.notNull())
    .addColumn('second_above', 'double precision')
    .addColumn('skips_away', 'integer', (column) => column.notNull())
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('limit_approvers')
    .addColumn('position', 'integer', (column) => column.primaryKey())
    .addColumn('slack_id', 'text', (column) => column.notNull())
    .execute();
}

async function createTurns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('limit_turns')
    .addColumn('request_id', 'text', (column) => column.notNull().references('limit_requests.id').onDelete('cascade'))
    .addColumn('turn', 'integer', (column) => column.notNull())
    .addColumn('stage', 'integer', (column) => column.notNull())
    .addColumn('approver', 'text')
    .addColumn('given_by', 'text')
    .addColumn('skipped', 'text')
    .addColumn('at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('limit_turns_key', ['request_id', 'turn'])
    .execute();
}
