import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { readInstalledApp } from '../../../src/sandbox/demo/installed-app.ts';
import { startPlatform, type SimulatedPlatform } from '../../../src/sandbox/platform/platform.ts';
import { startSlack, type SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Engine } from '../../../src/core/store/store.ts';
import {
  availableEngines,
  createEmptyDatabase,
  readDatabase,
  sqlitePath,
  type TestDatabase,
} from '../../support/stores/databases.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { environmentOf, startTestApp } from '../../support/test-app.ts';
import { COMPILE_CACHE } from '../../support/processes/bot-processes.ts';

const PROGRAM = join(import.meta.dirname, '../../../src/programs/erase/main.ts');
const MIA = 'mia.member@acme.example';
const TRACES = /mia\.member|U0MIA|Mia Chen/i;
const ENTRIES = 3_000;
const KILLS = process.env['NIGHTLY'] === 'true' ? 8 : 2;

let folder: string;
let slack: SandboxSlack;
let platform: SimulatedPlatform;
let database: TestDatabase;
const clock = createMovableClock(new Date('2026-03-02T07:00:00Z'));
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quartermaster-erase-'));
  slack = await startSlack({ clock, transport: 'socket' });
  await slack.control.configure(readInstalledApp());
  platform = await startPlatform({ clock, people: 25 });
});
afterEach(async () => {
  await slack.close();
  await platform.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({
  ...environmentOf(slack, platform, 'socket'),
  DATABASE_URL: database.url,
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  ERASURES_FILE: join(folder, 'erasures.ndjson'),
  ERASURE_PROOFS_FILE: join(folder, 'proofs.key'),
});

/** A store in which many rows name Mia. */
async function fill(engine: Engine): Promise<void> {
  database = await createEmptyDatabase(engine);
  const store = await openStore(database.url);
  const entry = { about: 'limits:k7m2x', at: '2026-03-01T08:00:00.000Z', actor: 'U0MIA', action: 'asked' };
  for (let first = 0; first < ENTRIES; first += 500)
    await store.db
      .insertInto('audit')
      .values(
        Array.from({ length: 500 }, (_, index) => ({
          ...entry,
          position: first + index,
          detail: `for ${MIA}, Mia Chen`,
        })),
      )
      .execute();
  await store.close();
}

async function entriesText(): Promise<string[]> {
  const db = readDatabase(database.url);
  try {
    return (await db.selectFrom('audit').selectAll().where('about', '=', 'limits:k7m2x').execute()).map((row) =>
      JSON.stringify(row),
    );
  } finally {
    await db.destroy();
  }
}

const run = (...words: string[]) => runWith(environment(), ...words);

const runWith = (env: NodeJS.ProcessEnv, ...words: string[]) =>
  new Promise<{ code: number | string; output: string }>((resolve) => {
    execFile(process.execPath, [PROGRAM, ...words], { cwd: folder, env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });

describe.each(availableEngines())('the erasing program on %s', (engine) => {
  test('shows the stored rows and erases them only with --yes, from logs too', async () => {
    await fill(engine);
    const log = join(folder, 'bot.log');
    writeFileSync(log, `{"level":30,"person":"U0MIA"}\n{"msg":"of ${MIA}"}\n{"msg":"of max@acme.example"}\n`);
    const shown = await run('erase', MIA);
    expect(shown).toMatchObject({ code: 0, output: expect.stringContaining(`audit log: ${ENTRIES} kept`) });
    expect(shown.output).toContain('Nothing was erased. Add --yes to erase it.');
    expect((await entriesText()).every((text) => TRACES.test(text))).toBe(true);
    const erased = await run('erase', MIA, '--yes', '--file', log);
    expect(erased).toMatchObject({ code: 0, output: expect.stringContaining(`${log}: erased.`) });
    expect((await entriesText()).filter((text) => TRACES.test(text))).toEqual([]);
    expect(TRACES.test(readFileSync(log, 'utf8'))).toBe(false);
    expect(readFileSync(log, 'utf8')).toContain('max@acme.example');
    expect(TRACES.test(engine === 'sqlite' ? readFileSync(sqlitePath(database.url), 'latin1') : '')).toBe(false);
  });

  test('gives a person a file of their stored data', async () => {
    await fill(engine);
    const file = join(folder, 'mia.ndjson');
    expect((await run('export', MIA, file)).output).toContain('3,000 rows about');
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines[0]).toMatchObject({ person: { email: [MIA], slackId: ['U0MIA'] } });
    expect(lines).toHaveLength(ENTRIES + 1);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect((await run('export', MIA, file)).code).not.toBe(0);
  });

  test('leaves work that the next run finishes if it is killed at any moment', async () => {
    await fill(engine);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = spawn(process.execPath, [PROGRAM, 'erase', MIA, '--yes'], { cwd: folder, env: environment() });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await delay(300 + (kill * 1_200) / KILLS);
      child.kill('SIGKILL');
      await ended;
    }
    const [listed, ended] = [join(folder, 'erasures.ndjson'), await run('erase', MIA, '--yes')];
    expect(ended.code).toBe(0);
    expect(existsSync(listed)).toBe(true);
    expect((await entriesText()).filter((text) => TRACES.test(text))).toEqual([]);
    expect(await entriesText()).toHaveLength(ENTRIES);
  });
});

test('ends beside a running bot only when the bot no longer shows the person, and does not wait for a stopped bot', async () => {
  const scene = await startTestApp({
    at: new Date(),
    settings: { ADMINS: 'U0ADA', ERASURES_FILE: join(folder, 'erasures.ndjson') },
  });
  database = { url: scene.databaseUrl, drop: () => Promise.resolve() };
  const environmentOfScene = { ...environment(), ...scene.environment };
  try {
    expect((await typeCommand(scene.slack, 'morgan', '/usage', 'people 7d')).text).toMatch(TRACES);
    const erased = await runWith(environmentOfScene, 'erase', MIA, '--yes');
    expect(erased).toMatchObject({
      code: 0,
      output: expect.stringContaining('From now on no answer names the person'),
    });
    expect((await typeCommand(scene.slack, 'mia', '/usage', 'me')).text).toContain('Your data was erased');
    expect((await typeCommand(scene.slack, 'morgan', '/usage', 'people 7d')).text).not.toMatch(TRACES);
    const db = readDatabase(scene.databaseUrl);
    const days = await db.selectFrom('analyticsPeople').select('person').execute();
    expect(days.length).toBeGreaterThan(0);
    await db.destroy();
    expect(JSON.stringify(days)).not.toMatch(TRACES);
    await scene.app.stop();
    const again = await runWith(environmentOfScene, 'erase', 'nora.member@acme.example', '--yes');
    expect(again.output).not.toContain('is running');
  } finally {
    await scene.close();
  }
});

test.each([[[]], [['erase']], [['erase', 'nobody']], [['erase', MIA, 'more']], [['erase', MIA, '--force']]])(
  'answers unknown words with its usage: %j',
  async (words) => {
    database = await createEmptyDatabase('sqlite');
    expect(await run(...words)).toMatchObject({ code: 2, output: expect.stringContaining('npm run erase -- ') });
  },
);
vi.setConfig({ testTimeout: 180_000 });
