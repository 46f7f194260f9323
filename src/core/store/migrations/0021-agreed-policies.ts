import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What two admins agreed on for each policy, the declared limit before a request, and each declaration. */
export const agreedPoliciesMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('limit_request_people').addColumn('from_declared', 'double precision').execute();
    await db.schema.alterTable('limit_policies').addColumn('removed_by', 'text').execute();
    await db.schema.alterTable('limit_policies').addColumn('removed_at', 'text').execute();
    await db.schema.alterTable('limit_policy_versions').addColumn('in_force_from', 'text').execute();
    await db.schema.alterTable('limit_policy_versions').addColumn('agreed_period', 'text').execute();
    await db.schema.alterTable('limit_policy_versions').addColumn('agreed_second_above', 'double precision').execute();
    await db.schema.alterTable('limit_policy_versions').addColumn('released_by', 'text').execute();
    await db.schema.alterTable('limit_policy_versions').addColumn('released_at', 'text').execute();
    await recordAgreements(db);
    await createDeclarations(db);
  },
};

/** The policies that are active or paused were agreed on under the approvers’ rules of this moment. Quartermaster records the period of limits at its next start: that table has another owner. */
async function recordAgreements(db: Kysely<unknown>): Promise<void> {
  await sql`update limit_policy_versions set
    in_force_from = (select dry_run_until from limit_policies where id = limit_policy_versions.policy_id),
    agreed_second_above = (select second_above from limit_approver_rules)
    where exists (select 1 from limit_policies where id = limit_policy_versions.policy_id
      and limit_policies.version = limit_policy_versions.version and state in ('active', 'paused'))`.execute(db);
}

async function createDeclarations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('limit_declarations')
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('declared_at', 'text', (column) => column.notNull())
    .addColumn('value', 'double precision')
    .addColumn('value_before', 'double precision')
    .addColumn('declared_by', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('limit_declarations_key', ['email', 'declared_at'])
    .execute();
}
