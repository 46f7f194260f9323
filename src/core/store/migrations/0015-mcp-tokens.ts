import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Personal tokens of coding clients, and the questions of a minute that count against limits. */
export const mcpTokensMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('mcp_tokens')
      .addColumn('owner', 'text', (column) => column.primaryKey())
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .addColumn('last_used_on', 'text')
      .execute();
    await db.schema
      .createTable('question_counts')
      .addColumn('way', 'text', (column) => column.notNull())
      .addColumn('asker', 'text', (column) => column.notNull())
      .addColumn('minute', 'text', (column) => column.notNull())
      .addColumn('questions', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('question_counts_key', ['way', 'asker', 'minute'])
      .execute();
  },
};
