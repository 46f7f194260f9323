import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The people who follow their own agents, the tokens of their computers, and the sessions that sent events. */
export const sessionsMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('hook_inboxes')
      .addColumn('owner', 'text', (column) => column.primaryKey())
      .addColumn('opened_at', 'text', (column) => column.notNull())
      .addColumn('quiet_from', 'text')
      .addColumn('quiet_until', 'text')
      .execute();
    await db.schema
      .createTable('hook_tokens')
      .addColumn('token_hash', 'text', (column) => column.primaryKey())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text')
      .execute();
    await db.schema.createIndex('hook_tokens_by_owner').on('hook_tokens').column('owner').execute();
    await db.schema
      .createTable('hook_sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('folder', 'text')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('since', 'text', (column) => column.notNull())
      .addColumn('message', 'text')
      .addColumn('reason', 'text')
      .addColumn('finished_at', 'text')
      .addColumn('tool_calls', 'integer', (column) => column.notNull())
      .addColumn('subagents', 'integer', (column) => column.notNull())
      .addColumn('other_events', 'integer', (column) => column.notNull())
      .addColumn('unknown_names', 'text')
      .addColumn('first_at', 'text', (column) => column.notNull())
      .addColumn('last_at', 'text', (column) => column.notNull())
      .addColumn('muted_at', 'text')
      .addColumn('announced', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('card_key', 'text')
      .addColumn('shown', 'text')
      .addColumn('held_for', 'text')
      .execute();
    await db.schema.createIndex('hook_sessions_by_owner').on('hook_sessions').columns(['owner', 'last_at']).execute();
    await db.schema.createIndex('hook_sessions_by_age').on('hook_sessions').column('last_at').execute();
  },
};
