import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Budgets and heads-ups, and the thresholds that were announced in each period. */
export const usageBudgetsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('budgets')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('follows_limit', 'integer', (column) => column.notNull())
      .addColumn('name', 'text')
      .addColumn('credits', 'double precision', (column) => column.notNull())
      .addColumn('period', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('thresholds', 'text', (column) => column.notNull())
      .addColumn('price', 'text')
      .addColumn('names_people', 'integer', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('owner', 'text')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('set_up_on', 'text', (column) => column.notNull())
      .addColumn('is_armed', 'integer', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('changed_at', 'text', (column) => column.notNull())
      .addColumn('changed_by', 'text')
      .execute();
    await db.schema
      .createTable('limit_period')
      .addColumn('place', 'text', (column) => column.primaryKey())
      .addColumn('period', 'text')
      .addColumn('changed_by', 'text')
      .addColumn('at', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('budget_members')
      .addColumn('budget_id', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('emails', 'text', (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('budget_members_once', ['budget_id', 'revision'])
      .execute();
    await db.schema
      .createTable('budget_marks')
      .addColumn('budget_id', 'text', (column) => column.notNull())
      .addColumn('period_first', 'text', (column) => column.notNull())
      .addColumn('basis', 'text', (column) => column.notNull())
      .addColumn('percent', 'integer', (column) => column.notNull())
      .addColumn('credits', 'double precision', (column) => column.notNull())
      .addColumn('round', 'integer', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('through', 'text', (column) => column.notNull())
      .addColumn('today', 'text', (column) => column.notNull())
      .addColumn('members', 'integer', (column) => column.notNull())
      .addColumn('spent', 'double precision', (column) => column.notNull())
      .addColumn('delivery_key', 'text')
      .addColumn('at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('budget_marks_once', [
        'budget_id',
        'period_first',
        'basis',
        'percent',
        'credits',
        'round',
      ])
      .execute();
  },
};
