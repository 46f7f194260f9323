import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the pools of teams paid for. */
export const teamChargesMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('limit_team_charges')
      .addColumn('request_id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('policy_id', 'text', (column) => column.notNull())
      .addColumn('policy_version', 'integer', (column) => column.notNull())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('slack_id', 'text')
      .addColumn('credits', 'double precision', (column) => column.notNull())
      .addColumn('is_first', 'integer', (column) => column.notNull())
      .addColumn('until', 'text')
      .addColumn('charged_by', 'text')
      .addColumn('at', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('limit_team_charges_policy').on('limit_team_charges').columns(['policy_id']).execute();
  },
};
