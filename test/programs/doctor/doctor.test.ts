import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { examine } from '../../../src/programs/doctor/examine.ts';
import { REQUIRED_SCOPES } from '../../../src/programs/doctor/required-scopes.ts';
import { judgeStore } from '../../../src/programs/doctor/examine-store.ts';
import { judgeZoneRules, readZoneRules } from '../../../src/programs/doctor/zone-rules.ts';
import { beat } from '../../../src/core/store/health/heartbeat.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { storeFirstPrice } from '../../../src/core/figures/money/price-list.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { availableEngines, createDatabase, whereThereIsPostgres } from '../../support/stores/databases.ts';
import { startInstallation, type Installation } from './installation.ts';

let clock: MovableClock;
let installation: Installation;
let slack: Installation['slack'];
let platform: Installation['platform'];
let environment: Installation['environment'];

beforeEach(async () => {
  clock = createMovableClock(new Date('2026-03-02T07:00:00Z'));
  installation = await startInstallation(clock);
  ({ slack, platform, environment } = installation);
});
afterEach(async () => {
  await installation.close();
  clock.dispose();
});

/** The doctor's findings with these settings on top of sound ones; `undefined` removes one. */
async function findings(settings: Record<string, string | undefined> = {}) {
  return examine({ ...environment, ...settings }, clock.now());
}

async function faults(settings: Record<string, string | undefined> = {}): Promise<string[]> {
  const found = await findings(settings);
  return found.filter(({ level }) => level === 'fault').map(({ about, sentence }) => `${about} ${sentence}`);
}

async function sentenceOn(about: string, settings: Record<string, string | undefined> = {}): Promise<string> {
  const found = await findings(settings);
  return found
    .filter((one) => one.about === about)
    .map(({ level, sentence }) => `${level}: ${sentence}`)
    .join('\n');
}

test('finds nothing wrong with a sound installation, and lists its checks', async () => {
  const found = await findings({ DIGEST_CHANNEL: '#agent-usage', CONTROLS_CHANNEL: 'C0GENERAL' });
  expect(found.map(({ level, about }) => `${level} ${about}`)).toEqual([
    'ok settings',
    'ok SLACK_BOT_TOKEN',
    'ok scopes',
    'ok SLACK_APP_TOKEN',
    'ok ADMINS',
    'ok ADMINS',
    'ok MANAGERS',
    'ok DIGEST_CHANNEL',
    'ok CONTROLS_CHANNEL',
    'ok PLATFORM_BASE_URL',
    'ok PLATFORM_APP_URL',
    'ok PLATFORM_API_KEY',
    'ok limits in force',
    'ok members',
    'ok DATABASE_URL',
    'ok LIMIT_PERIOD',
    'ok time zones',
    'ok PORT',
    'ok METRICS_PORT',
  ]);
});

test('warns of an unknown period of credit limits, unless an admin chose one, which counts', async () => {
  expect(await sentenceOn('LIMIT_PERIOD', { LIMIT_PERIOD: undefined })).toBe(
    'warning: isn’t set, so members can’t see when they run out. Set it to week, month, quarter, year, or a month from another day such as “month from 15”, or let an admin choose in /quartermaster.',
  );
  const databaseUrl = `file:${installation.folder}/chosen.db`;
  const store = await openStore(databaseUrl);
  const row = { place: 'here' as const, period: 'week' as const, changedBy: 'U0ADA', at: '2026-03-01T00:00:00.000Z' };
  await store.db.withTables<{ limitPeriod: typeof row }>().insertInto('limitPeriod').values(row).execute();
  await store.close();
  const ofStore = { DATABASE_URL: databaseUrl };
  expect(await sentenceOn('LIMIT_PERIOD', { ...ofStore, LIMIT_PERIOD: undefined })).toBe(
    'ok: A credit limit counts over a week.',
  );
  expect(await sentenceOn('LIMIT_PERIOD', ofStore)).toBe(
    'warning: An admin chose week in Slack, and that counts. The setting is month: change it too.',
  );
  const month = { LIMIT_PERIOD: 'month from 15' };
  expect(await sentenceOn('LIMIT_PERIOD', month)).toBe('ok: A credit limit counts over a month from the 15th.');
  expect(await sentenceOn('LIMIT_PERIOD', { ...ofStore, ...month })).toBe(
    'warning: An admin chose week in Slack, and that counts. The setting is month from 15: change it too.',
  );
});

test('warns of a price of credits that differs from the one in the store', async () => {
  const price = { CREDIT_PRICE: '4.20 USD per million' };
  expect(await sentenceOn('CREDIT_PRICE')).toBe('');
  expect(await sentenceOn('CREDIT_PRICE', price)).toBe('ok: A million credits cost $4.20.');
  const databaseUrl = `file:${installation.folder}/price.db`;
  const store = await openStore(databaseUrl);
  await storeFirstPrice(store.db, { perMillion: '5', currency: 'EUR' }, clock.now());
  await store.close();
  expect(await sentenceOn('CREDIT_PRICE', { ...price, DATABASE_URL: databaseUrl })).toBe(
    'warning: A million credits cost €5.00 in the store, and that counts. The setting is $4.20: change it too.',
  );
});

describe('settings', () => {
  test('that are missing do not prevent the other checks', async () => {
    const found = await findings({ PLATFORM_API_KEY: undefined, TIMEZONE: 'Mars/Olympus' });
    expect(found.map(({ level, about }) => `${level} ${about}`)).toEqual(
      expect.arrayContaining(['fault PLATFORM_API_KEY', 'fault TIMEZONE', 'warning platform', 'ok SLACK_BOT_TOKEN']),
    );
  });

  test('that Kubernetes sets for a Service do not count, and are named', async () => {
    expect(await sentenceOn('HOOKS_PORT', { HOOKS_PORT: 'tcp://10.96.14.7:80' })).toBe(
      'warning: is the address of a Kubernetes Service, so it counts as not set: set enableServiceLinks: false in the pod.',
    );
  });

  test.each([
    ['?sslmode=require', true],
    ['?sslmode=prefer', true],
    ['?sslmode=no-verify', true],
    ['?sslmode=require&sslrootcert=/etc/ca.pem', false],
    ['?sslmode=verify-full', false],
    ['', false],
  ])('of Postgres that end in “%s”: an unchecked certificate is named, which is %s', async (parameters, isNamed) => {
    const said = await sentenceOn('DATABASE_URL', { DATABASE_URL: `postgres://me@127.0.0.1:9/q${parameters}` });
    expect(said.includes('warning: The connection is encrypted, but nobody checks who answers')).toBe(isNamed);
  });

  test('that are all missing are named, and the store and the port are still checked', async () => {
    const found = await examine({ PORT: '0', METRICS_PORT: '0' }, clock.now());
    expect(found.filter(({ level }) => level === 'fault').map(({ about }) => about)).toEqual([
      'SLACK_BOT_TOKEN',
      'PLATFORM_BASE_URL',
      'PLATFORM_APP_URL',
      'PLATFORM_API_KEY',
      'SLACK_APP_TOKEN',
    ]);
    expect(found.filter(({ level }) => level === 'ok').map(({ about }) => about)).toEqual([
      'DATABASE_URL',
      'time zones',
      'PORT',
      'METRICS_PORT',
    ]);
  });

  test('with a misspelt name are pointed out', async () => {
    expect(await sentenceOn('DIGEST_CHANEL', { DIGEST_CHANEL: '#general' })).toContain('Did you mean DIGEST_CHANNEL?');
  });
});

describe('tokens and scopes', () => {
  test('a bot token that Slack refuses is a fault of its own; the checks of roles and channels are skipped', async () => {
    const said = await faults({ SLACK_BOT_TOKEN: 'xoxb-wrong' });
    expect(said).toEqual([expect.stringMatching(/^SLACK_BOT_TOKEN Slack does not accept it: copy/)]);
  });

  test('an app token that Slack refuses is a fault too, and the check opens no connection', async () => {
    expect(await faults({ SLACK_APP_TOKEN: 'xapp-wrong' })).toEqual([
      expect.stringMatching(/^SLACK_APP_TOKEN Slack does not accept it \(invalid_auth\)/),
    ]);
    await findings();
    expect((await slack.control.state({ as: 'ada' })).app.connections).toBe(0);
  });

  test('each missing scope is named with its purpose', async () => {
    await slack.control.configure({
      scopes: Object.keys(REQUIRED_SCOPES).filter((scope) => !['chat:write', 'commands'].includes(scope)),
    });
    const said = await faults();
    expect(said).toHaveLength(2);
    expect(said[0]).toMatch(/^scopes chat:write is missing, to post digests: save the output of npm run manifest/);
  });

  test('a Slack that does not answer is not reported as a wrong token', async () => {
    const said = await faults({ SLACK_API_URL: 'http://127.0.0.1:9/api/' });
    expect(said[0]).toMatch(/^SLACK_BOT_TOKEN Slack can’t be reached: check the network and SLACK_API_URL/);
  });
});

describe('roles', () => {
  test('with people who do not exist or may not use the bot are faults', async () => {
    const said = await faults({ MANAGERS: 'U0NOBODY,nobody@acme.example,U0GUS,U0DAN,U0OLGA,S0NOTHING,S0WEB' });
    expect(said).toEqual([
      'MANAGERS U0NOBODY doesn’t exist in Slack: name another person.',
      'MANAGERS Slack doesn’t know nobody@acme.example: correct it or remove it.',
      'MANAGERS U0GUS is a guest, and guests can’t use Quartermaster: name another person.',
      'MANAGERS U0DAN has a deactivated account: name another person.',
      'MANAGERS U0OLGA belongs to another workspace, whose people can’t use Quartermaster: name another person.',
      'MANAGERS Slack doesn’t know S0NOTHING: correct it or remove it.',
    ]);
  });

  test('with a single admin cause a warning, since admins cannot decide their own requests', async () => {
    expect(await sentenceOn('ADMINS', { ADMINS: 'U0ADA' })).toContain('warning: There’s only one admin');
    expect(await sentenceOn('ADMINS', { ADMINS: undefined })).toContain(
      'It isn’t set, so they are the workspace’s owners and admins: Ada Okafor',
    );
    expect(await sentenceOn('MANAGERS', { MANAGERS: undefined })).toBe('ok: It isn’t set: only admins are managers.');
  });

  test('without an admin are reported', async () => {
    expect(await faults({ ADMINS: 'U0GUS' })).toContain(
      'ADMINS There is no admin. Name a person who decides requests.',
    );
  });
});

describe('channels', () => {
  test.each([
    ['#agent-usage', 'ok: The bot can post to #agent-usage.'],
    ['#general', 'ok: The bot will join #general by itself.'],
    ['U0ADA', 'ok: The bot can post to @ada.'],
    ['#old-news', 'fault: #old-news is archived'],
    ['#nowhere', 'fault: There is no public channel #nowhere. For a private one, set its id (C…) and type /invite'],
    ['C0LEADS', 'type /invite @Quartermaster there.'],
  ])('%s: %s', async (channel, expected) => {
    expect(await sentenceOn('LIMITS_CHANNEL', { LIMITS_CHANNEL: channel })).toContain(expected);
  });

  test('that are shared with other organizations are faults, unless the settings allow them', async () => {
    const settings = { DIGEST_CHANNEL: '#acme-outside' };
    const sentence = await sentenceOn('DIGEST_CHANNEL', settings);
    expect(sentence).toContain('fault: #acme-outside: This channel is shared with another organization');
    expect(sentence).toContain('set ALLOW_SHARED_CHANNELS');
    expect(await sentenceOn('DIGEST_CHANNEL', { ...settings, ALLOW_SHARED_CHANNELS: 'true' })).toContain('can post to');
  });
});

describe('the platform', () => {
  test('a member’s key and a wrong key are different faults', async () => {
    expect(await faults({ PLATFORM_API_KEY: platform.apiKeys.member })).toEqual([
      expect.stringMatching(
        /^PLATFORM_API_KEY .* a personal key of a Manager or Owner\. The platform says: “The caller lacks/,
      ),
    ]);
    expect(await faults({ PLATFORM_API_KEY: 'wrong-key' })).toEqual([
      expect.stringMatching(/^PLATFORM_API_KEY The platform does not accept it/),
    ]);
  });

  test('an address with no answer, or with the answer of another service, is a fault of that setting', async () => {
    expect(await sentenceOn('PLATFORM_BASE_URL', { PLATFORM_BASE_URL: 'http://127.0.0.1:9' })).toContain(
      'fault: Nothing answers there',
    );
    expect(await sentenceOn('PLATFORM_APP_URL', { PLATFORM_APP_URL: `${slack.address}/nothing` })).toContain(
      'fault: It has readiness reports neither at /api/organization/agent-readiness-reports nor at /api/organization/maturity-level-reports. Correct the address;',
    );
  });

  test('of today, whose readiness reports moved, is without a fault', async () => {
    const today = await startInstallation(clock, { platform: { edition: 'today' } });
    onTestFinished(() => today.close());
    expect(await sentenceOn('PLATFORM_APP_URL', today.environment)).toBe('ok: It answers readiness reports.');
    expect(await sentenceOn('limits in force', today.environment)).toBe('ok: The platform shows them.');
    expect(await sentenceOn('members', today.environment)).toBe('ok: The platform lists them.');
    today.platform.faults.add({ match: { path: '/api/v0/organization/usage' }, kind: 'status', status: 403 });
    expect(await sentenceOn('limits in force', today.environment)).toContain(
      'warning: They can’t be read now (The simulator is set to fail.)',
    );
  });

  test('of the contract shows no limits in force, which is no fault', async () => {
    expect(await sentenceOn('limits in force')).toMatch(/^ok: This platform doesn’t show them/);
    expect(await sentenceOn('members')).toMatch(/^ok: This platform doesn’t list them/);
  });
});

describe('the store', () => {
  test.each(availableEngines())('on %s is found sound, and the check leaves nothing in it', async (engine) => {
    const database = await createDatabase(engine);
    const store = await openStore(database.url);
    const before = await store.db.introspection.getTables();
    expect(await sentenceOn('DATABASE_URL', { DATABASE_URL: database.url })).toContain('ok: It opens, can be written');
    expect(await store.db.introspection.getTables()).toEqual(before);
    await store.close();
    await database.drop();
  });

  test('of a newer version is a fault', () => {
    expect(judgeStore({ kind: 'open', migrations: ['0001', '0009'] }, ['0001'])).toMatchObject({ level: 'fault' });
    expect(judgeStore({ kind: 'open', migrations: ['0001'] }, ['0001', '0002'])).toMatchObject({ level: 'ok' });
  });

  test('that cannot be created or reached is a fault, reported without its password', async () => {
    expect(await sentenceOn('DATABASE_URL', { DATABASE_URL: 'file:/dev/null/a.db' })).toMatch(/^fault: /);
    const postgres = await sentenceOn('DATABASE_URL', { DATABASE_URL: 'postgres://me:hush-hush@127.0.0.1:9/bot' });
    expect(postgres).toContain('Nothing answers for bot on 127.0.0.1:9');
    expect(postgres).not.toContain('hush-hush');
  });
});

describe('the rules of time zones', () => {
  test.each(availableEngines())('are stated, and compared with those of running processes, on %s', async (engine) => {
    const database = await createDatabase(engine);
    const store = await openStore(database.url);
    const said = () => sentenceOn('time zones', { DATABASE_URL: database.url });
    await beat(store, { process: 'p1' });
    const own = `This Node.js has the rules of ${process.versions.tz}, by which digests are due.`;
    expect(await said()).toContain(`ok: ${own}`);
    clock.moveTo(new Date());
    await store.db.updateTable('storeHeartbeats').set({ zoneRules: '2019z' }).execute();
    expect(await said()).toContain(`warning: ${own} A process that uses the store has those of 2019z`);
    await store.db.updateTable('storeHeartbeats').set({ stoppedAt: new Date().toISOString() }).execute();
    expect(await said()).toContain(`ok: ${own}`);
    await store.close();
    await database.drop();
  });

  test('of Postgres are compared for all zones, and matter where digests are due', () => {
    const judge = (differentInPostgres: string[], inUse: string[]) =>
      judgeZoneRules('2026c', 'UTC', { differentInPostgres, ofReplicas: ['2026c'], inUse }).map(
        ({ level, sentence }) => `${level}: ${sentence}`,
      );
    expect(judge([], ['America/Vancouver'])).toHaveLength(1);
    expect(judge(['America/Edmonton', 'America/Vancouver'], ['America/Vancouver'])[1]).toBe(
      'warning: Postgres has other rules for America/Vancouver, where digests are due. They follow Node.js; your own queries may differ by an hour.',
    );
    expect(judge(['A/A', 'B/B', 'C/C', 'D/D'], [])[1]).toBe(
      'ok: Postgres has other rules for A/A, B/B, C/C and 1 more. No digest is due there.',
    );
    expect(judgeZoneRules('2026c', 'A/A', { differentInPostgres: ['A/A'], ofReplicas: [], inUse: [] })[1]?.level).toBe(
      'warning',
    );
  });

  test.each(whereThereIsPostgres())('of %s are really asked', async (engine) => {
    const database = await createDatabase(engine);
    const store = await openStore(database.url);
    const read = (now: Date) => readZoneRules(store.db, { isPostgres: true, hasColumn: () => false, now });
    const { differentInPostgres } = await read(new Date('2026-11-27T12:00:00Z'));
    for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Tokyo']) expect(differentInPostgres).not.toContain(zone);
    // Rules of the past differ nowhere, so the comparison itself is right.
    expect((await read(new Date('2023-01-15T12:00:00Z'))).differentInPostgres).toEqual([]);
    await store.close();
    await database.drop();
  });
});

test('a port that is in use is a fault', async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => void server.listen(0, () => resolve()));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  expect(await sentenceOn('PORT', { PORT: String(port) })).toContain(`fault: Port ${port} is taken`);
  await new Promise((resolve) => void server.close(resolve));
});

describe('the address of the hooks', () => {
  test('is correct if the bot answers, wrong if another service answers, and unclear without an answer', async () => {
    const answering = async (status: number, text: string) => {
      const server = createHttpServer((_request, response) => void response.writeHead(status).end(text));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
      const address = server.address();
      const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
      const said = await sentenceOn('HOOKS_URL', { HOOKS_PORT: '0', HOOKS_URL: url });
      await new Promise((resolve) => server.close(resolve));
      return { said, url };
    };
    expect((await answering(401, 'This token is unknown or was revoked.')).said).toMatch(/^ok: It leads/);
    expect((await answering(401, 'Log in first')).said).toMatch(/^fault: This address is not Quartermaster/);
    const { said, url } = await answering(302, '');
    expect(said).toMatch(/status 302/);
    expect(await sentenceOn('HOOKS_URL', { HOOKS_PORT: '0', HOOKS_URL: url })).toMatch(
      /^warning: Nothing answers there/,
    );
  });

  test('that cannot be used does not prevent the other checks', async () => {
    for (const settings of [
      { HOOKS_PORT: '0', HOOKS_URL: 'nowhere' },
      { HOOKS_PORT: 'x', HOOKS_URL: 'https://a.example' },
      { HOOKS_URL: 'https://a.example' },
    ]) {
      const found = await findings(settings);
      expect(found.filter(({ level }) => level === 'fault').map(({ about }) => about)).toHaveLength(1);
      expect(found.map(({ about }) => about)).toContain('METRICS_PORT');
    }
  });
});
