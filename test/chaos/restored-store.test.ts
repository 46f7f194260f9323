import { copyFileSync, rmSync } from 'node:fs';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import type { Engine } from '../../src/store/database.ts';
import { morningAfter, setCrashScene, type CrashScene } from '../support/crash-scene.ts';
import { availableEngines } from '../support/databases.ts';

const FIRST_MORNING = new Date('2026-03-02T09:00:05Z');
const MORNINGS = Number(process.env['MORNINGS'] ?? 3);
const HALF_AN_HOUR_MS = 30 * 60_000;

test.each(availableEngines())(
  'a backup of the evening that is restored in mid-morning repeats no digest, on %s',
  async (engine) => {
    const scene = await setCrashScene(engine, FIRST_MORNING);
    try {
      for (let day = 0; day < MORNINGS; day += 1) {
        const morning = morningAfter(FIRST_MORNING, day);
        const key = `digest:settings:${morning.toISOString().slice(0, 10)}`;
        const evening = await scene.startBot();
        await evening.stop();
        const backup = await takeBackup(engine, scene);
        const bot = await scene.startBot();
        scene.moveTo(morning, bot);
        await scene.untilDelivered(key);
        await bot.stop();
        await backup.restore();
        scene.moveTo(new Date(morning.getTime() + HALF_AN_HOUR_MS));
        const later = await scene.startBot();
        await scene.untilDelivered(key);
        await later.stop();
      }
      const digests = await scene.digestsIn('agent-usage');
      expect([...digests.values()].map((messages) => messages.length)).toEqual(
        Array.from({ length: MORNINGS }, () => 1),
      );
    } finally {
      await scene.close();
    }
  },
  300_000,
);

async function takeBackup(engine: Engine, { databaseUrl }: CrashScene): Promise<{ restore: () => Promise<void> }> {
  if (engine === 'sqlite') {
    const path = databaseUrl.slice('file:'.length);
    copyFileSync(path, `${path}.backup`);
    return {
      restore: () => {
        for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
        return Promise.resolve(copyFileSync(`${path}.backup`, path));
      },
    };
  }
  const name = new URL(databaseUrl).pathname.slice(1);
  await onServer(databaseUrl, [`create database ${name}_backup template ${name}`]);
  return {
    restore: () =>
      onServer(databaseUrl, [
        `drop database ${name} with (force)`,
        `create database ${name} template ${name}_backup`,
        `drop database ${name}_backup`,
      ]),
  };
}

/** No statement about a database may come from a connection to it. */
async function onServer(databaseUrl: string, statements: readonly string[]): Promise<void> {
  const url = new URL(databaseUrl);
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
