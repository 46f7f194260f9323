import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { readSection } from '../../../src/features/digests/core/sections.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { asStoreFault } from '../../../src/core/store/engines/store-fault.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { availableEngines, readDatabase } from '../../support/stores/databases.ts';
import { readReadiness } from '../../support/slack/refreshes.ts';
import { canMount, makeSmallDisk, type SmallDisk } from '../../support/stores/small-disk.ts';
import { lockStore } from './store-lock.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const LOCK_MS = 3_000;
const COMMANDS = 12;
const MAX_ACK_MS = 250;

let scene: TestApp;
afterEach(() => scene.close());

test('a store file that is deleted under the running bot ends it with one sentence', async () => {
  scene = await startTestApp();
  expect(await readReadiness(scene.app.port)).toMatchObject({ store: 'in order' });
  rmSync(scene.databaseUrl.slice('file:'.length));
  await expect
    .poll(
      async () => {
        await readReadiness(scene.app.port);
        return scene.fatalReasons[0];
      },
      { timeout: 5_000 },
    )
    .toMatch(
      /^The file .* was deleted, replaced or emptied while Quartermaster was running\. Restore it from a backup/,
    );
  // A job may notice it between two checks for readiness.
  await expect.poll(() => readReadiness(scene.app.port)).toMatchObject({ store: 'not in order' });
});

test.runIf(availableEngines().includes('postgres'))(
  'a database that is emptied under the running bot ends it with one sentence',
  async () => {
    scene = await startTestApp({ engine: 'postgres' });
    const db = readDatabase(scene.databaseUrl);
    await sql`drop schema public cascade`.execute(db);
    await sql`create schema public`.execute(db);
    await db.destroy();
    await expect
      .poll(
        async () => {
          await readReadiness(scene.app.port);
          return scene.fatalReasons[0];
        },
        { timeout: 5_000 },
      )
      .toMatch(/^The database .* was emptied or replaced while Quartermaster was running\./);
  },
);

test('a file that another program locks for three seconds delays no acknowledgement, and the command is carried out', async () => {
  scene = await startTestApp();
  const { slack } = scene;
  const path = scene.databaseUrl.slice('file:'.length);
  const { released } = await lockStore(path, LOCK_MS);
  const since = slack.mark();
  const tookMs: number[] = [];
  for (let count = 0; count < COMMANDS; count += 1) {
    const startMs = performance.now();
    const { inTime } = await slack.control.command({
      as: 'morgan',
      channel: 'general',
      command: '/digest',
      text: 'list',
    });
    expect(inTime).toBe(true);
    tookMs.push(performance.now() - startMs);
    await new Promise((resolve) => setTimeout(resolve, LOCK_MS / COMMANDS / 2));
  }
  const wasLocked = slack.events.since(since).every(({ kind }) => kind !== 'ephemeral');
  await released;
  expect(wasLocked).toBe(true);
  expect(Math.max(...tookMs)).toBeLessThan(MAX_ACK_MS);
  const answered = () =>
    slack.events.since(since).filter((event) => event.kind === 'ephemeral' && event.message.text.includes('digest'));
  await expect.poll(() => answered().length, { timeout: 10_000 }).toBe(COMMANDS);
});

describe.runIf(canMount())('a full disk', () => {
  let disk: SmallDisk;
  afterEach(() => disk.remove());

  test('is reported to each admin once, prevents posts that cannot be recorded, and recovers when there is room', async () => {
    disk = makeSmallDisk(16);
    const url = `file:${join(disk.folder, 'q.db')}`;
    scene = await startTestApp({ settings: { DATABASE_URL: url, ADMINS: 'U0ADA,U0NORA' } });
    expect((await typeCommand(scene.slack, 'morgan', '/usage')).text).toMatch(/[\d.]+ [KM] credits/);
    disk.fill();
    const since = scene.slack.mark();
    const posts = () =>
      scene.slack.events.since(since).flatMap((event) => (event.kind === 'message' ? [event.message.text] : []));
    await expect.poll(() => readReadiness(scene.app.port), { timeout: 5_000 }).toMatchObject({ store: 'not in order' });
    await expect.poll(() => posts().length, { timeout: 5_000 }).toBe(2);
    expect((await typeCommand(scene.slack, 'morgan', '/digest', 'list')).text).toContain(
      'Quartermaster can’t use its database right now.',
    );
    disk.makeRoom();
    await expect.poll(() => readReadiness(scene.app.port), { timeout: 5_000 }).toMatchObject({ store: 'in order' });
    expect((await typeCommand(scene.slack, 'morgan', '/usage', 'help')).text).toContain('/usage');
    expect(posts()).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/^The disk of .* is full: make room/)),
    );
  });
});

test('a fault of the store is not reported as a fault of the platform: the attempt fails, and is repeated', async () => {
  scene = await startTestApp();
  const fault = asStoreFault(new Error('too many connections for role'));
  const section = { id: 'usage', title: 'Usage', read: () => Promise.reject(fault) };
  const read = readSection(Object(section), Object({ log: createLogger('fatal', [], () => {}) }), new Date());
  await expect(read).rejects.toBe(fault);
});
