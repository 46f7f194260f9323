import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Owner: limits. The database itself holds that nothing above what was approved is ever set: neither as the limit nor as what
 * it goes back to. SQLite adds no checks to a table, so it is made anew.
 */
export const limitReturnsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('limit_requests').addColumn('requester_email', 'text').execute();
    await createCheckedPeople(db);
    await sql`
      insert into limit_request_people_checked
      select request_id, email, position, slack_id, from_value, to_value,
        ${lowest('return_value', 'approved_value')}, ${lowest('approved_value', 'to_value')},
        set_value, state, error, batch
      from (
        select request_id, email, position, slack_id, from_value, to_value, ${lowest('return_value', 'to_value')} as return_value,
          case when state in ('asked', 'left_out') then approved_value else coalesce(approved_value, to_value) end as approved_value,
          set_value, state, error, batch
        from limit_request_people
      ) as old`.execute(db);
    await db.schema.dropTable('limit_request_people').execute();
    await db.schema.alterTable('limit_request_people_checked').renameTo('limit_request_people').execute();
    await db.schema.createIndex('limit_request_people_email').on('limit_request_people').column('email').execute();
  },
};

/** The lower of two columns; the first where the second holds nothing. */
const lowest = (one: string, other: string) =>
  sql`case when ${sql.ref(one)} > ${sql.ref(other)} then ${sql.ref(other)} else ${sql.ref(one)} end`;

async function createCheckedPeople(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('limit_request_people_checked')
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
    .addPrimaryKeyConstraint('limit_request_people_checked_key', ['request_id', 'email'])
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
}
