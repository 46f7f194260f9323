import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openStore } from '../../../src/core/store/database.ts';
import type { Engine } from '../../../src/core/store/store.ts';
import {
  availableEngines,
  createEmptyDatabase,
  readDatabase,
  type TestDatabase,
} from '../../support/stores/databases.ts';
import { COMPILE_CACHE } from '../../support/processes/bot-processes.ts';

const PROGRAM = join(import.meta.dirname, '../../../src/programs/backup/main.ts');
const ROWS = 4_000;
const KILLS = process.env['NIGHTLY'] === 'true' ? 12 : 3;

let folder: string;
const databases: TestDatabase[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quartermaster-backup-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all(databases.splice(0).map((database) => database.drop()));
});

async function empty(engine: Engine): Promise<string> {
  const database = await createEmptyDatabase(engine);
  databases.push(database);
  return database.url;
}

async function large(engine: Engine): Promise<string> {
  const url = await empty(engine);
  const store = await openStore(url);
  const row = { at: '2026-03-02', actor: 'U1', action: 'wrote', detail: 'x'.repeat(4_000) };
  for (let part = 0; part < ROWS; part += 500)
    await store.db
      .insertInto('audit')
      .values(Array.from({ length: 500 }, (_, index) => ({ ...row, about: 'large', position: part + index })))
      .execute();
  await store.close();
  return url;
}

/** The number of rows of the large table in a store, or undefined if the store or the table does not exist. */
async function rowsIn(url: string): Promise<number> {
  if (url.startsWith('file:') && !existsSync(url.slice('file:'.length))) return 0;
  const db = readDatabase(url);
  try {
    const tables = await db.introspection.getTables();
    if (!tables.some(({ name }) => name === 'audit')) return 0;
    const { rows } = await sql<{ count: string }>`select count(*) as count from audit`.execute(db);
    return Number(rows[0]?.count);
  } finally {
    await db.destroy();
  }
}

const environmentOf = (url: string) => ({ DATABASE_URL: url, NODE_COMPILE_CACHE: COMPILE_CACHE });

const run = (url: string, ...words: string[]) =>
  new Promise<{ code: number | string; output: string }>((resolve) => {
    const options = { cwd: folder, env: environmentOf(url), timeout: 60_000 };
    execFile(process.execPath, [PROGRAM, ...words], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });

/** Starts the program and kills it after this time, if it has not ended before. */
async function killAfter(ms: number, url: string, ...words: string[]): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, ...words], { cwd: folder, env: environmentOf(url) });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await delay(ms);
  child.kill('SIGKILL');
  await ended;
}

describe.each(availableEngines())('the backup program on %s', (engine) => {
  test('backs up and restores, and prints the number of rows', async () => {
    const source = await large(engine);
    const file = join(folder, 'backup.db');
    const backup = await run(source, 'backup', file);
    expect(backup).toEqual({ code: 0, output: expect.stringMatching(/^\d+ rows of .+ are in .+backup\.db\.\n$/) });
    const target = await empty(engine);
    const restored = await run(target, 'restore', file);
    expect(restored).toEqual({ code: 0, output: expect.stringContaining('Start Quartermaster now.') });
    expect(await rowsIn(target)).toBe(ROWS);
    const again = await run(target, 'restore', file);
    expect(again).toEqual({ code: 1, output: expect.stringMatching(/already: .*so that nothing is overwritten\.\n$/) });
  }, 120_000);

  test('that is killed while it writes leaves no backup, and its leftovers block no later run', async () => {
    const source = await large(engine);
    const file = join(folder, 'backup.db');
    const child = spawn(process.execPath, [PROGRAM, 'backup', file], { cwd: folder, env: environmentOf(source) });
    const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
    await vi.waitUntil(() => existsSync(`${file}.unfinished`), { interval: 1, timeout: 20_000 });
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
    expect(existsSync(file)).toBe(false);
    expect(await run(source, 'backup', file)).toMatchObject({ code: 0 });
    expect(await rowsIn(`file:${file}`)).toBe(ROWS);
    expect(readdirSync(folder)).toEqual(['backup.db']);
  }, 120_000);

  test('that is killed at any time leaves a whole backup or none, and a whole store or an empty one', async () => {
    const source = await large(engine);
    const file = join(folder, 'backup.db');
    const startedAt = performance.now();
    await run(source, 'backup', file);
    const wholeMs = performance.now() - startedAt;
    const backups: number[] = [];
    const stores: number[] = [];
    for (let round = 1; round <= KILLS; round += 1) {
      const killed = join(folder, `killed-${round}.db`);
      await killAfter((wholeMs * round) / KILLS, source, 'backup', killed);
      backups.push(await rowsIn(`file:${killed}`));
      const target = await empty(engine);
      await killAfter((1.5 * wholeMs * round) / KILLS, target, 'restore', file);
      await expect.poll(() => rowsIn(target)).toSatisfy((rows: number) => rows === 0 || rows === ROWS);
      stores.push(await rowsIn(target));
      // The leftovers of the killed run block no later one.
      if (stores.at(-1) === 0) await run(target, 'restore', file);
      expect(await rowsIn(target)).toBe(ROWS);
    }
    expect([...new Set([...backups, ...stores])].filter((rows) => rows !== 0 && rows !== ROWS)).toEqual([]);
    expect(backups[0]).toBe(0);
  }, 240_000);
});

test('the backup program prints its usage, and names the fault of DATABASE_URL', async () => {
  for (const words of [[], ['backup'], ['backup', 'a', 'b'], ['migrate'], ['restore', '--what']])
    expect(await run('file:a.db', ...words)).toEqual({
      code: 2,
      output: expect.stringContaining('npm run backup -- FILE'),
    });
  expect(await run('mysql://a', 'backup', 'a')).toEqual({
    code: 2,
    output: 'DATABASE_URL starts with neither file: nor postgres://.\n',
  });
  const { output } = await run('postgres://me:secret-password@127.0.0.1:1/db', 'backup', 'a');
  expect(output).toMatch(/^Nothing answers for db on 127\.0\.0\.1:1: /);
});
