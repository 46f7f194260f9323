import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Limit policies, their versions, what they decided, and whether limits are set only here. */
export const limitPoliciesMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await createPolicies(db);
    await createVersions(db);
    await createDecisions(db);
    await createSettings(db);
    for (const column of ['policy_id', 'policy_name', 'undo_until'])
      await db.schema.alterTable('limit_requests').addColumn(column, 'text').execute();
    await db.schema.alterTable('limit_requests').addColumn('policy_version', 'integer').execute();
  },
};

async function createPolicies(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('limit_policies')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('activated_by', 'text')
    .addColumn('activated_at', 'text')
    .addColumn('activated_alone', 'integer')
    .addColumn('dry_run_until', 'text')
    .addColumn('confirmed_at', 'text')
    .addColumn('paused_by', 'text')
    .addColumn('paused_at', 'text')
    .addColumn('pause_reason', 'text')
    .execute();
}

async function createVersions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('limit_policy_versions')
    .addColumn('policy_id', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('rules', 'text', (column) => column.notNull())
    .addColumn('drafted_by', 'text', (column) => column.notNull())
    .addColumn('drafted_at', 'text', (column) => column.notNull())
    .addColumn('back_test', 'text')
    .addColumn('back_tested_at', 'text')
    .addColumn('halted_at', 'text')
    .addPrimaryKeyConstraint('limit_policy_versions_key', ['policy_id', 'version'])
    .execute();
}

async function createDecisions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('limit_policy_decisions')
    .addColumn('request_id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('slack_id', 'text')
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('policy_id', 'text')
    .addColumn('policy_name', 'text')
    .addColumn('policy_version', 'integer')
    .addColumn('credits', 'double precision', (column) => column.notNull())
    .addColumn('dry_run', 'text')
    .addColumn('requested_until', 'text')
    .addColumn('requested_return', 'double precision')
    .addColumn('at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('limit_policy_decisions_at')
    .on('limit_policy_decisions')
    .columns(['outcome', 'at'])
    .execute();
  await db.schema.createIndex('limit_policy_decisions_email').on('limit_policy_decisions').columns(['email']).execute();
}

async function createSettings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('limit_policy_settings')
    .addColumn('place', 'text', (column) => column.primaryKey())
    .addColumn('turn', 'integer', (column) => column.notNull())
    .addColumn('only_here_by', 'text')
    .addColumn('only_here_at', 'text')
    .addColumn('lined_until', 'text')
    .execute();
}
