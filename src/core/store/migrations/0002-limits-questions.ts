import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The questions of reviewers to the requester, and the answers. */
export const limitsQuestionsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('limit_questions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('request_id', 'text', (column) => column.notNull())
      .addColumn('question', 'text', (column) => column.notNull())
      .addColumn('asked_by', 'text', (column) => column.notNull())
      .addColumn('asked_at', 'text', (column) => column.notNull())
      .addColumn('answer', 'text')
      .addColumn('answered_by', 'text')
      .addColumn('answered_at', 'text')
      .execute();
    await db.schema
      .createIndex('limit_questions_by_request')
      .on('limit_questions')
      .columns(['request_id', 'asked_at'])
      .execute();
  },
};
