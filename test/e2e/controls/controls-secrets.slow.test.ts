import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { PLANTED_SECRETS } from '../../../src/sandbox/platform/model/controls-data.ts';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { allOf, change, noticesIn, repliesIn, startWatching } from '../../support/controls.ts';
import { readDatabase, sqlitePath } from '../../support/stores/databases.ts';
import { holdsHalfOf, planted, plantedPassword } from '../../support/slack/planted-secrets.ts';
import { startReplica, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

/** One secret after another, in every kind of place, and one password after another, in every kind of configuration. */
const GENERATED = fc.sample(planted, { numRuns: 40, seed: 20260302 });
const PASSWORDS = fc.sample(plantedPassword, { numRuns: 20, seed: 20260302 });
const SAMPLES = [...PASSWORDS, ...GENERATED];
const SECRETS = [...GENERATED.map(({ secret }) => secret), ...PLANTED_SECRETS];

/**
 * All bytes that the bot has written: of SQLite the file, its write-ahead log and its shared memory; of Postgres every
 * row.
 */
async function databaseText(): Promise<string> {
  if (scene.databaseUrl.startsWith('file:')) {
    const folder = dirname(sqlitePath(scene.databaseUrl));
    return readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('\n');
  }
  const db = readDatabase(scene.databaseUrl);
  const texts: string[] = [];
  for (const { name } of await db.introspection.getTables())
    texts.push(JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(db)).rows));
  await db.destroy();
  return texts.join('\n');
}

const leaked = (text: string) => [
  ...SECRETS.filter((secret) => holdsHalfOf(text, secret)),
  ...PASSWORDS.map(({ secret }) => secret).filter((secret) => text.includes(secret)),
];

test('no planted secret or password, nor half of a secret, appears in a notice, an answer, a file, the log, an error or the database', async () => {
  scene = await startWatching();
  // Small enough for one burst, in which each is reported.
  for (const { settings } of SAMPLES.slice(0, -1))
    scene.platform.addRevision({ settings: { customModels: [], ...settings } });
  const last = await change(scene, SAMPLES.at(-1)?.settings ?? {});
  const first = last - SAMPLES.length + 1;
  const notices = await noticesIn(scene, 2);
  const told: string[] = [];
  for (let count = 1; ; count += 1) {
    told.splice(0, told.length, allOf(await repliesIn(scene, count)));
    if (told.join('').includes(`*Revision ${last}*`)) break;
  }
  for (let revision = first; revision <= last; revision += 1) expect(told.join('')).toContain(`*Revision ${revision}*`);

  scene.platform.faults.add({
    kind: 'wrong_shape',
    match: { path: '/api/v0/organization/enterprise-controls' },
    times: 1,
  });
  scene.platform.faults.add({
    kind: 'cut_body',
    match: { path: '/api/v0/organization/enterprise-controls' },
    times: 2,
  });
  await change(scene, { rolloutRing: 'after the faults' });
  await noticesIn(scene, 2);

  const answers: string[] = [];
  for (const words of [
    '',
    'history',
    `show ${last}`,
    `diff ${first} ${last}`,
    `diff 1 ${last}`,
    'show 3',
    'history member customModels',
  ]) {
    answers.push(everythingIn(await typeCommand(scene.slack, 'morgan', '/controls', words)));
  }
  const since = scene.slack.mark();
  const shown = await typeCommand(scene.slack, 'morgan', '/controls', `show ${last}`);
  await clickButton(scene.slack, 'morgan', shown, 'As JSON');
  const { file } = await scene.slack.next('file_shared', undefined, { since });
  await nextAnswer(scene.slack, since);
  const headers = { authorization: `Bearer ${scene.slack.botToken}` };
  const content = await (await fetch(new URL(file.downloadPath, scene.slack.apiUrl), { headers })).text();
  const metrics = await (await fetch(`http://127.0.0.1:${scene.app.metricsPort}/metrics`)).text();

  const places = {
    notices: allOf(notices),
    threads: told.join(''),
    answers: answers.join('\n'),
    content,
    metrics,
    log: JSON.stringify(scene.log),
    database: await databaseText(),
  };
  expect(Object.entries(places).map(([place, text]) => [place, leaked(text)])).toEqual(
    Object.keys(places).map((place) => [place, []]),
  );
  expect(places.database).toContain('secret #');
}, 120_000);

test('a new API key, which changes the fingerprints, makes no secret look replaced', async () => {
  scene = await startWatching();
  await change(scene, { ring: 'alpha' });
  await noticesIn(scene, 2);
  await scene.app.stop();
  const environment = { ...scene.environment, PLATFORM_API_KEY: scene.platform.apiKeys.jwt };
  const other = await startReplica({ ...scene, environment });
  await change(scene, { ring: 'beta' }, 'morgan.manager@acme.example');
  const [, , notice] = await noticesIn(scene, 3);
  expect(notice?.text).toContain('`ring`: `alpha` → `beta`');
  expect(allOf(notice ? [notice] : [])).not.toMatch(/hidden/);
  expect((await typeCommand(scene.slack, 'morgan', '/controls', 'diff 11 13')).text).not.toMatch(/hidden/);
  scene.app = other;
});
