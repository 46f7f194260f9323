import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Credit-limit requests, their people, the limits that were set, and drafts of forms. */
export const limitsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await createRequests(db);
    await createPeople(db);
    await createLedger(db);
    await createDrafts(db);
  },
};

async function createRequests(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('limit_requests')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('requester', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('until', 'text')
    .addColumn('people', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('decided_by', 'text')
    .addColumn('decided_at', 'text')
    .addColumn('comment', 'text')
    .addColumn('finished_at', 'text')
    .addColumn('parent_id', 'text')
    .addColumn('round', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('next_attempt_at', 'text')
    .addColumn('leased_by', 'text')
    .addColumn('leased_until', 'text')
    .addColumn('evidence', 'text')
    .addColumn('requester_email', 'text')
    .addColumn('unsure_since', 'text')
    .addColumn('unsure_until', 'text')
    .addColumn('chosen_by', 'text')
    .addColumn('chosen_at', 'text')
    .execute();
  await db.schema.createIndex('limit_requests_state').on('limit_requests').columns(['state', 'created_at']).execute();
}

/** Check constraints ensure that neither a limit nor the value it returns to ever exceeds the approved amount. */
async function createPeople(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('limit_request_people')
    .addColumn('request_id', 'text', (column) => column.notNull().references('limit_requests.id').onDelete('cascade'))
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('slack_id', 'text')
    .addColumn('from_value', 'double precision')
    .addColumn('to_value', 'double precision', (column) => column.notNull())
    .addColumn('return_value', 'double precision')
    .addColumn('approved_value', 'double precision')
    .addColumn('set_value', 'double precision')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('batch', 'integer')
    .addPrimaryKeyConstraint('limit_request_people_key', ['request_id', 'email'])
    .addCheckConstraint('limit_approved_at_most_asked', sql`approved_value is null or approved_value <= to_value`)
    .addCheckConstraint('limit_return_at_most_asked', sql`return_value is null or return_value <= to_value`)
    .addCheckConstraint(
      'limit_return_at_most_approved',
      sql`return_value is null or approved_value is null or return_value <= approved_value`,
    )
    .addCheckConstraint(
      'limit_sent_only_if_approved',
      sql`approved_value is not null or state in ('asked', 'left_out')`,
    )
    .execute();
  await db.schema.createIndex('limit_request_people_email').on('limit_request_people').column('email').execute();
}

async function createLedger(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('limit_ledger')
    .addColumn('request_id', 'text', (column) => column.notNull().references('limit_requests.id').onDelete('cascade'))
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('value', 'double precision', (column) => column.notNull())
    .addColumn('value_before', 'double precision')
    .addColumn('set_at', 'text', (column) => column.notNull())
    .addColumn('asked_by', 'text', (column) => column.notNull())
    .addColumn('approved_by', 'text', (column) => column.notNull())
    .addColumn('approved_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('limit_ledger_key', ['request_id', 'email'])
    .execute();
  await db.schema.createIndex('limit_ledger_email').on('limit_ledger').columns(['email', 'set_at']).execute();
  await db.schema.createIndex('limit_ledger_time').on('limit_ledger').column('set_at').execute();
}

async function createDrafts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('limit_drafts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('contents', 'text', (column) => column.notNull())
    .execute();
}
