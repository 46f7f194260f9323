import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ExportTables } from '../../../src/features/exports/table.ts';
import { clickButton, typeCommand } from '../../support/slack/conversation.ts';
import { nextView, openByCommand, submitForm } from '../../support/slack/modals.ts';
import { formValues, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { startReplica, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

const MIA = 'mia.member@acme.example';
const RESOURCES = ['activity', 'productivity', 'tokens', 'tools', 'users'];

let folder: string;
let scene: TestApp;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quartermaster-exports-'));
});
afterEach(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

const start = async (settings: Record<string, string> = {}, options: TestAppOptions = {}) => {
  scene = await startTestApp({
    at: new Date('2026-01-20T03:58:00Z'),
    platform: { people: 6 },
    settings: { ADMINS: 'U0ADA', EXPORT_DIR: folder, ERASURES_FILE: join(folder, 'erasures.ndjson'), ...settings },
    ...options,
  });
};

/** Waits until the files of a night are there. */
const untilExported = (night: string) =>
  until(scene, async (db) => {
    const nights = db.withTables<ExportTables>().selectFrom('exportNights').selectAll();
    const row = await nights.where('night', '=', night).executeTakeFirst();
    return row?.finishedAt ?? undefined;
  });

const manifestShape = z.looseObject({
  file: z.string(),
  sha256: z.string(),
  rows: z.number(),
  version: z.number(),
  day_state: z.string(),
});
const manifestOf = (resource: string, name: string) =>
  manifestShape.parse(JSON.parse(readFileSync(join(folder, resource, `${name}.manifest.json`), 'utf8')));
const linesOf = (resource: string, name: string): Record<string, unknown>[] =>
  gunzipSync(readFileSync(join(folder, resource, `${name}.ndjson.gz`)))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('the nightly export', () => {
  test('writes one file per resource and day, each with a matching manifest, once', async () => {
    await start();
    expect(readdirSync(folder)).toEqual([]);
    await moveClock(scene, new Date('2026-01-20T04:01:00Z'));
    await untilExported('2026-01-20');
    expect(readdirSync(folder).toSorted()).toEqual(RESOURCES);
    for (const resource of RESOURCES) {
      const names = readdirSync(join(folder, resource)).toSorted();
      // From the first day with figures to the last published one.
      expect(names.filter((name) => name.endsWith('.gz')).map((name) => name.slice(0, 10))).toEqual([
        '2026-01-14',
        '2026-01-15',
        '2026-01-16',
        '2026-01-17',
        '2026-01-18',
        '2026-01-19',
      ]);
      const manifest = manifestOf(resource, '2026-01-14.v1');
      const bytes = readFileSync(join(folder, resource, manifest.file));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(manifest.sha256);
      expect(linesOf(resource, '2026-01-14.v1')).toHaveLength(manifest.rows);
      expect(manifest).toMatchObject({ version: 1, day_state: 'settled' });
      expect((statSync(join(folder, resource, manifest.file)).mode & 0o777).toString(8)).toBe('600');
    }
    expect(manifestOf('tokens', '2026-01-19.v1').day_state).toBe('fresh');
    const people = linesOf('users', '2026-01-14.v1').reduce((sum, row) => sum + Number(row['billable_tokens']), 0);
    expect(people).toBe(linesOf('tokens', '2026-01-14.v1')[0]?.['billable_tokens']);
  });

  test('adds a version for a restated day, and keeps the previous one', async () => {
    await start();
    await moveClock(scene, new Date('2026-01-20T04:01:00Z'));
    await untilExported('2026-01-20');
    scene.platform.reviseDay('2026-01-19', 2);
    await moveClock(scene, new Date('2026-01-21T04:01:00Z'));
    await untilExported('2026-01-21');
    const [before, after] = ['2026-01-19.v1', '2026-01-19.v2'].map((name) =>
      Number(linesOf('tokens', name)[0]?.['billable_tokens']),
    );
    expect(after).toBeGreaterThan(before ?? 0);
    expect(existsSync(join(folder, 'tokens', '2026-01-18.v2.ndjson.gz'))).toBe(false);
  });

  test('has the price of each day in the rows of credits, and a new version of days whose price changed', async () => {
    await start({ CREDIT_PRICE: '4.20 USD per million' });
    await moveClock(scene, new Date('2026-01-20T04:01:00Z'));
    await untilExported('2026-01-20');
    const priced = { price_per_million: '4.20', currency: 'USD' };
    for (const resource of ['tokens', 'users']) {
      expect(linesOf(resource, '2026-01-14.v1')[0]).toMatchObject(priced);
      expect(manifestOf(resource, '2026-01-14.v1')).toMatchObject(priced);
    }
    expect(linesOf('tools', '2026-01-14.v1')[0]).not.toHaveProperty('currency');
    const status = await typeCommand(scene.slack, 'ada', '/quartermaster');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'ada', status, 'Change the price');
    await nextView(scene.slack, since);
    await submitForm(scene.slack, 'ada', formValues({ price: '5 USD', from: '2026-01-15' }));
    await moveClock(scene, new Date('2026-01-21T04:01:00Z'));
    await untilExported('2026-01-21');
    expect(existsSync(join(folder, 'tokens', '2026-01-14.v2.ndjson.gz'))).toBe(false);
    expect(linesOf('tokens', '2026-01-15.v2')[0]).toMatchObject({ price_per_million: '5', currency: 'USD' });
  });

  test('hashes people if configured, the same person to the same hash', async () => {
    await start({ EXPORT_HASH_PEOPLE: 'true' });
    await moveClock(scene, new Date('2026-01-20T04:01:00Z'));
    await untilExported('2026-01-20');
    const [first = [], second = []] = ['2026-01-14.v1', '2026-01-15.v1'].map((name) =>
      linesOf('users', name).map((row) => String(row['user_email'])),
    );
    expect([...first, ...second].every((hash) => /^[0-9a-f]{32}$/.test(hash))).toBe(true);
    expect(first.some((hash) => second.includes(hash))).toBe(true);
  });

  test('is written by one of two processes', async () => {
    await start();
    const other = await startReplica(scene);
    await moveClock(scene, new Date('2026-01-20T04:01:00Z'));
    await untilExported('2026-01-20');
    expect(scene.log.filter(({ msg }) => msg === 'Exported days')).toHaveLength(1);
    await other.stop();
  });

  test.each(['false', 'true'])('holds nothing of a person who was erased, hashed: %s', async (hashed) => {
    await start({ EXPORT_HASH_PEOPLE: hashed });
    await moveClock(scene, new Date('2026-01-20T04:01:00Z'));
    await untilExported('2026-01-20');
    const before = linesOf('users', '2026-01-14.v1');
    await openByCommand(scene.slack, 'ada', '/quartermaster', 'erase');
    await submitForm(scene.slack, 'ada', formValues({ email: MIA }));
    await submitForm(scene.slack, 'ada', formValues({ again: MIA }));
    await moveClock(scene, new Date('2026-01-20T04:03:00Z'));
    await until(
      scene,
      async (db) =>
        (await db.selectFrom('erasures').select('state').executeTakeFirst())?.state === 'checking' || undefined,
    );
    const after = linesOf('users', '2026-01-14.v1');
    const emailsOf = (rows: typeof after) => rows.map((row) => row['user_email']);
    const gone = emailsOf(before).filter((email) => !emailsOf(after).includes(email));
    expect(gone).toHaveLength(1);
    expect(JSON.stringify(after)).toContain('erased-');
    const sums = [before, after].map((rows) => rows.reduce((sum, row) => sum + Number(row['billable_tokens']), 0));
    expect(sums[0]).toBe(sums[1]);
    const manifest = manifestOf('users', '2026-01-14.v1');
    const bytes = readFileSync(join(folder, 'users', manifest.file));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(manifest.sha256);
    expect(JSON.stringify(after)).not.toContain(MIA);
  });
});
