import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { restoreBackup, takeBackup } from '../../../src/programs/backup/backup.ts';
import { clickButton, everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { hasDecided } from '../../../src/features/erasure/core/protection.ts';
import { findProofs } from '../../../src/features/erasure/core/proofs.ts';
import type { MessageView } from '../../../src/sandbox/slack/people/control-types.ts';
import { listAuditEntries } from '../../../src/core/store/audit.ts';
import { keyOfMessage } from '../../support/controls.ts';
import { nextView, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { delivered, formValues, messagesIn, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { ask, directMessagesTo, review, untilState } from '../../support/limits/limits.ts';
import { availableEngines, readDatabase } from '../../support/stores/databases.ts';
import { startReplica, startTestApp, type TestApp } from '../../support/test-app.ts';

const MIA = 'mia.member@acme.example';
const NOTHING = { email: [], name: [], slackId: [], userId: [] };
const TRACES = /mia\.member|U0MIA|Mia Chen/i;

let folder: string;
let scene: TestApp;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quartermaster-erasure-'));
});
afterEach(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

const start = async (engine: 'sqlite' | 'postgres', settings: Record<string, string> = {}) => {
  scene = await startTestApp({
    engine,
    settings: {
      ADMINS: 'U0ADA',
      ERASURES_FILE: join(folder, 'erasures.ndjson'),
      ERASURE_PROOFS_FILE: join(folder, 'proofs.key'),
      LIMITS_CHANNEL: 'agent-usage',
      ...settings,
    },
  });
};

async function erase(email: string): Promise<string> {
  await openByCommand(scene.slack, 'ada', '/quartermaster', 'erase');
  const inventory = textOfView(await submitForm(scene.slack, 'ada', formValues({ email })));
  expect(inventory).toContain('This can’t be undone');
  const begun = textOfView(await submitForm(scene.slack, 'ada', formValues({ again: email })));
  return /Erasure (\w+) has begun/.exec(begun)?.[1] ?? begun;
}

const stateOf = (id: string, state: string) =>
  until(scene, async (db) => {
    const found = await db.selectFrom('erasures').selectAll().where('id', '=', id).executeTakeFirst();
    return found?.state === state ? found : undefined;
  });

const pass = (ms: number) => moveClock(scene, new Date(scene.clock.now().getTime() + ms));

async function storedText(url = scene.databaseUrl): Promise<string> {
  const db = readDatabase(url);
  try {
    const rows: unknown[] = [];
    for (const { name } of await db.introspection.getTables())
      rows.push(name, (await sql`select * from ${sql.table(name)}`.execute(db)).rows);
    return JSON.stringify(rows);
  } finally {
    await db.destroy();
  }
}

describe.each(availableEngines())('an erasure on %s', (engine) => {
  test('removes a person from the store and from messages, for good', async () => {
    await start(engine);
    const total = async () =>
      (await typeCommand(scene.slack, 'morgan', '/usage', 'credits 7d')).text.replace(/; read .*/, '');
    const totalBefore = await total();
    expect((await typeCommand(scene.slack, 'morgan', '/usage', 'people 7d')).text.length).toBeGreaterThan(0);
    await typeCommand(scene.slack, 'morgan', '/usage', `credits 7d ${MIA}`);
    const request = await ask(scene, 'mia', { amount: '900', reason: 'Mia Chen needs it' });
    await review(scene, 'ada', request, 'approve');
    await untilState(scene, request, 'applied');
    await delivered(scene, 'limit-told:');
    expect((await directMessagesTo(scene, 'mia')).length).toBeGreaterThan(0);
    expect(JSON.stringify((await messagesIn(scene, 'agent-usage')).posts)).toMatch(TRACES);
    const id = await erase(MIA);
    await pass(61_000);
    await stateOf(id, 'checking');
    // Whatever an answer was made of, it passes the same door as this one, which repeats what was typed.
    expect(everythingIn(await typeCommand(scene.slack, 'morgan', '/computers', `show ${MIA}`))).not.toMatch(TRACES);
    await pass(11 * 60_000);
    await stateOf(id, 'done');
    expect(await storedText()).not.toMatch(TRACES);
    expect(JSON.stringify(await messagesIn(scene, 'agent-usage'))).not.toMatch(TRACES);
    expect(JSON.stringify((await messagesIn(scene, 'agent-usage')).posts)).toContain(request);
    expect(await directMessagesTo(scene, 'mia')).toEqual([]);
    const logged = scene.log.length;
    // Read again, from the platform and from Slack.
    const { text } = await typeCommand(scene.slack, 'morgan', '/usage', 'people 7d');
    expect(text).not.toMatch(TRACES);
    expect(text).toContain('erased-');
    expect(await total()).toBe(totalBefore);
    expect((await typeCommand(scene.slack, 'mia', '/usage', 'me')).text).toContain(
      'Your data was erased from Quartermaster',
    );
    // Others name them by hand.
    expect((await typeCommand(scene.slack, 'morgan', '/usage', `credits 7d ${MIA}`)).text).toContain('was erased here');
    await openByCommand(scene.slack, 'morgan', '/limits', 'request');
    const asked = await submitForm(scene.slack, 'morgan', formValues({ emails: MIA, amount: '900', reason: 'again' }));
    expect(textOfView(asked)).toContain('whose data was erased here. Take them out of the list.');
    await until(
      scene,
      async (db) => (await db.selectFrom('pendingInteractions').selectAll().execute()).length === 0 || undefined,
    );
    expect(await storedText()).not.toMatch(TRACES);
    expect(readFileSync(join(folder, 'erasures.ndjson'), 'utf8')).not.toMatch(TRACES);
    expect(scene.log.slice(logged).filter((line) => TRACES.test(JSON.stringify(line)))).toEqual([]);
  });
});

test('an erasure is repeated at the start of a store that was restored from an earlier backup', async () => {
  await start('sqlite');
  const request = await ask(scene, 'mia', { amount: '900', reason: 'A migration' });
  const backup = join(folder, 'backup.db');
  await takeBackup(scene.databaseUrl, backup);
  const id = await erase(MIA);
  await pass(61_000);
  await stateOf(id, 'checking');
  const restored = `file:${join(folder, 'restored.db')}`;
  await restoreBackup(backup, restored, scene.clock.now());
  await scene.app.stop();
  expect(await storedText(restored)).toMatch(TRACES);
  scene = { ...scene, databaseUrl: restored, environment: { ...scene.environment, DATABASE_URL: restored } };
  scene.app = await startReplica(scene);
  await stateOf(id, 'checking');
  await pass(11 * 60_000);
  await stateOf(id, 'done');
  const stored = await storedText();
  expect(stored).not.toMatch(TRACES);
  expect(stored).toContain(request);
  expect((await typeCommand(scene.slack, 'mia', '/usage', 'me')).text).toContain(
    'Your data was erased from Quartermaster',
  );
});

test('an erasure that Slack delays for half an hour blocks no other work, and resumes after a restart', async () => {
  await start('sqlite', { DIGEST_CHANNEL: 'agent-usage', DIGEST_AT: '07:05' });
  await ask(scene, 'mia', { amount: '900', reason: 'A migration' });
  scene.slack.faults.add({ method: 'users.conversations', kind: 'rate_limited', retryAfter: 1_800, times: 1 });
  const isLetWait = () =>
    scene.slack.traffic
      .latest(2_000)
      .some(({ method, status }) => method === 'users.conversations' && status === '429');
  const id = await erase(MIA);
  await pass(61_000);
  await until(scene, () => Promise.resolve(isLetWait() || undefined));
  // Work that falls due in the next minutes is planned as usual.
  await pass(5 * 60_000);
  await until(scene, (db) =>
    db.selectFrom('deliveries').select('key').where('key', 'like', 'digest:settings:%').executeTakeFirst(),
  );
  await stateOf(id, 'asked');
  await scene.app.stop();
  scene.app = await startReplica(scene);
  await pass(11 * 60_000);
  await stateOf(id, 'checking');
  expect(scene.fatalReasons).toEqual([]);
});

describe('the form of an erasure', () => {
  test('is for admins, even if it is forged', async () => {
    await start('sqlite');
    const view = textOfView(await openByCommand(scene.slack, 'morgan', '/quartermaster', 'erase'));
    expect(view).toContain(onlyFor('admin', '/quartermaster erase'));
  });

  test('erases the person only after the e-mail is typed again', async () => {
    await start('sqlite');
    await ask(scene, 'mia', { amount: '900', reason: 'A migration' });
    await openByCommand(scene.slack, 'ada', '/quartermaster', 'erase');
    await submitForm(scene.slack, 'ada', formValues({ email: MIA }));
    const { delivery } = await scene.slack.control.submit({
      as: 'ada',
      values: formValues({ again: 'max@acme.example' }),
    });
    expect(JSON.stringify(delivery)).toContain('That’s another e-mail');
    const db = readDatabase(scene.databaseUrl);
    expect(await db.selectFrom('erasures').selectAll().execute()).toEqual([]);
    await db.destroy();
  });

  test('reports an unknown person', async () => {
    await start('sqlite');
    await openByCommand(scene.slack, 'ada', '/quartermaster', 'erase');
    const view = textOfView(await submitForm(scene.slack, 'ada', formValues({ email: 'nobody@nowhere.example' })));
    expect(view).toContain('Quartermaster knows nothing of nobody@nowhere.example');
  });
});

/** The texts of direct messages about an erasure. */
async function newsTo(as: string): Promise<MessageView[]> {
  const { channels } = await scene.slack.control.state({ as });
  const messages = channels.find(({ kind }) => kind === 'dm')?.messages ?? [];
  return messages.filter((message) => keyOfMessage(message).startsWith('erasure:'));
}

const newsThat = (as: string, fits: RegExp) =>
  until(scene, async () => (await newsTo(as)).find(({ text }) => fits.test(text)));

async function inventoryOf(email: string, as = 'ada'): Promise<string> {
  await openByCommand(scene.slack, as, '/quartermaster', 'erase');
  return textOfView(await submitForm(scene.slack, as, formValues({ email })));
}

const erasuresIn = () => until(scene, async (db) => db.selectFrom('erasures').selectAll().execute());

async function openRequest(as: string): Promise<string> {
  const asked = await newsThat(as, /requests to erase/);
  const since = scene.slack.mark();
  await clickButton(scene.slack, as, asked, 'Review', 'dm');
  return textOfView(await nextView(scene.slack, since, /Looked for/));
}

describe('an admin', () => {
  const MAX = 'max.member@acme.example';
  const ADA = 'ada.admin@acme.example';

  test('cannot erase themselves, nor, alone, another admin or the author of a decision', async () => {
    await start('sqlite', { ADMINS: 'U0ADA,U0MAX' });
    expect(await inventoryOf(ADA)).toContain('You can’t erase yourself');
    const ofMax = await inventoryOf(MAX);
    expect(ofMax).toContain('The server operator can erase them on the server: npm run erase');
    expect(ofMax).not.toContain('"submit"');
    expect(await erasuresIn()).toEqual([]);
  });

  test('counts as one who decided who was a manager and requested limits for others, and not a member with their own', async () => {
    await start('sqlite', { MANAGERS: 'U0MAX' });
    await ask(scene, 'mia', { amount: '900' });
    await ask(scene, 'max', { people: ['U0NORA'], amount: '900' });
    const db = readDatabase(scene.databaseUrl);
    try {
      expect(await hasDecided(db, { ...NOTHING, slackId: ['U0MAX'] })).toBe(true);
      expect(await hasDecided(db, { ...NOTHING, slackId: ['U0MIA'] })).toBe(false);
    } finally {
      await db.destroy();
    }
  });

  test('is erased with a second admin: all admins are notified, and the decisions stay provable', async () => {
    await start('sqlite', { ADMINS: 'U0ADA,U0MAX,U0NORA' });
    const request = await ask(scene, 'mia', { amount: '900', reason: 'A migration' });
    await review(scene, 'max', request, 'approve');
    await untilState(scene, request, 'applied');
    const inventory = await inventoryOf(MAX);
    expect(inventory).toContain('a second admin has to agree');
    expect(inventory).toContain('`max.member@acme.example`, `U0MAX`');
    expect(textOfView(await submitForm(scene.slack, 'ada', formValues({ again: MAX })))).toContain(
      'The erasure begins when another admin agrees',
    );
    expect(await erasuresIn()).toEqual([]);
    expect(await openRequest('ada')).toContain('another admin has to agree');
    expect(await openRequest('max')).toContain('You can’t erase yourself');
    expect(await openRequest('nora')).toContain('Decline');
    const homed = scene.slack.next('home_published', ({ person }) => person === 'U0MAX', { since: scene.slack.mark() });
    expect(textOfView(await submitForm(scene.slack, 'nora', formValues({ again: MAX })))).toContain('has begun');
    await newsThat('ada', /The erasure of .* has begun/);
    const [erasure] = await erasuresIn();
    const id = erasure?.id ?? '';
    await pass(61_000);
    await stateOf(id, 'checking');
    const { view: home } = await homed;
    expect(textOfView(home)).toContain('Your data was erased from Quartermaster');
    await pass(11 * 60_000);
    await stateOf(id, 'done');
    for (const as of ['ada', 'nora']) await newsThat(as, new RegExp(`Erasure .*${id}.* is done`));
    expect(await storedText()).not.toMatch(/max\.member|U0MAX/);
    const db = readDatabase(scene.databaseUrl);
    try {
      const actors = (await listAuditEntries(db, `limits:${request}`)).map(({ actor }) => actor);
      expect(actors).toContain(`U0ERASED${id.toUpperCase()}`);
      const key = join(folder, 'proofs.key');
      expect(await findProofs(db, key, MAX)).toEqual({ erasures: [id], isOtherKey: false });
      expect(await findProofs(db, key, 'nora@acme.example')).toEqual({ erasures: [], isOtherKey: false });
      expect(await findProofs(db, join(folder, 'other.key'), MAX)).toEqual({ erasures: [], isOtherKey: true });
      expect((await listAuditEntries(db, `erasure:${id}`)).map(({ actor, action }) => `${actor} ${action}`)).toEqual([
        'U0ADA asked for a second admin',
        'U0ADA asked to erase',
        'U0NORA agreed to erase',
        'quartermaster erased',
      ]);
    } finally {
      await db.destroy();
    }
    expect(readFileSync(join(folder, 'erasures.ndjson'), 'utf8')).not.toMatch(/U0(?!ERASED)/);
  });

  test('sees no button if nothing is stored', async () => {
    await start('sqlite');
    const view = await inventoryOf('nora.member@acme.example');
    expect(view).toContain('there is nothing to erase');
    expect(view).not.toContain('"submit"');
  });
});
