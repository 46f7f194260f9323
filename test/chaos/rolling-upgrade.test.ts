import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { Pool } from 'pg';
import { describe, expect, test } from 'vitest';
import { MIGRATIONS, migrate } from '../../src/core/store/migrate.ts';
import { setCrashScene, morningAfter } from '../support/processes/crash-scene.ts';
import { typeCommand } from '../support/slack/conversation.ts';
import { whereThereIsPostgres } from '../support/stores/databases.ts';

const FIRST = new Date('2026-03-02T09:00:05Z');
const MORNINGS = 6;
/** On this morning the first process of the newer version starts. */
const UPGRADE = 2;
const COMMANDS = 10;

/**
 * The changes that a later version may make: it adds tables, columns that may be empty or have a default, and indexes.
 */
const later: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('later_things')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .execute();
    await db.schema.alterTable('deliveries').addColumn('later_note', 'text').execute();
    await db.schema
      .alterTable('subscriptions')
      .addColumn('later_count', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.createIndex('later_audit').on('audit').columns(['actor', 'at']).execute();
    // It takes a while, holding its locks.
    await sql`select pg_sleep(1)`.execute(db);
  },
};

async function upgradeSchema(url: string): Promise<void> {
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: url, max: 1 }) }),
  });
  try {
    await migrate(db, { ...MIGRATIONS, '9999-later': later });
  } finally {
    await db.destroy();
  }
}

describe.each(whereThereIsPostgres())('on %s, while a newer version changes the schema', (engine) => {
  test('two running processes continue to answer and to post each digest once; one that starts then refuses', async () => {
    const scene = await setCrashScene(engine, FIRST);
    try {
      const bots = [await scene.startBot(), await scene.startBot()];
      const dates: string[] = [];
      let answers = 0;
      const ask = async () => {
        for (let command = 0; command < COMMANDS; command += 1) {
          const { text } = await typeCommand(scene.slack, 'mia', '/usage', 'credits');
          if (/[\d.]+ [KMB] credits/.test(text)) answers += 1;
        }
      };
      for (let day = 0; day < MORNINGS; day += 1) {
        const morning = morningAfter(FIRST, day);
        const date = morning.toISOString().slice(0, 10);
        dates.push(date);
        scene.moveTo(morning, ...bots);
        await Promise.all([
          day === UPGRADE ? upgradeSchema(scene.databaseUrl) : undefined,
          scene.untilDelivered(`digest:settings:${date}`),
          ask(),
        ]);
      }
      expect(answers).toBe(MORNINGS * COMMANDS);
      const digests = await scene.digestsIn('agent-usage');
      expect([...digests].map(([date, messages]) => [date, messages.length])).toEqual(dates.map((date) => [date, 1]));
      for (const bot of bots) expect(bot.logged()).not.toMatch(/"level":"?(error|fatal|50|60)/);
      await expect(scene.startBot()).rejects.toThrow(/newer version of Quartermaster \(it holds 9999-later\)/);
    } finally {
      await scene.close();
    }
  });
});
