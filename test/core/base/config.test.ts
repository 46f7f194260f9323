import { describe, expect, test } from 'vitest';
import { describeFaults, readConfig, serviceLinksIn, warningsOf } from '../../../src/core/base/settings/config.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { createScrub } from '../../../src/core/base/privacy/scrub.ts';

const COMPLETE = {
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_APP_TOKEN: 'xapp-1',
  PLATFORM_BASE_URL: 'https://platform.example/',
  PLATFORM_APP_URL: 'https://app.platform.example',
  PLATFORM_API_KEY: 'key-1',
};

describe('the settings', () => {
  test('have the defaults of the README', () => {
    const result = readConfig(COMPLETE);
    expect(result).toMatchObject({
      ok: true,
      config: {
        slackTransport: 'socket',
        slackApiUrl: 'https://slack.com/api/',
        platformBaseUrl: 'https://platform.example',
        port: 3000,
        managers: [],
        digestAt: '09:00',
        timeZone: 'UTC',
        controlsPollSeconds: 60,
        computersRole: 'member',
        retentionDays: { people: 375, sessions: 30, deliveries: 90, audit: 730 },
        peopleRole: 'manager',
        minGroup: 5,
        logLevel: 'info',
      },
      secrets: { databaseUrl: 'file:data/quartermaster.db' },
    });
    expect(result.ok && result.config.admins).toBeUndefined();
  });

  test('without an app token use HTTP, and need the signing secret', () => {
    const { SLACK_APP_TOKEN: _, ...rest } = COMPLETE;
    expect(readConfig({ ...rest, SLACK_SIGNING_SECRET: 's' })).toMatchObject({
      ok: true,
      config: { slackTransport: 'http' },
    });
    expect(readConfig(rest)).toMatchObject({ ok: false, faults: [{ name: 'SLACK_APP_TOKEN' }] });
  });

  test('keep each kind of personal data for its own days, and the rest for the default ones', () => {
    expect(readConfig({ ...COMPLETE, RETENTION_DAYS: 'people=190, audit=3650' })).toMatchObject({
      ok: true,
      config: { retentionDays: { people: 190, sessions: 30, deliveries: 90, audit: 3650 } },
    });
  });

  test.each([
    ['people', 'holds "people", which is not a kind and its days such as people=375'],
    ['people=-1', 'holds "people=-1", which is not a kind and its days such as people=375'],
    ['people=100,', 'holds "", which is not a kind and its days such as people=375'],
    ['credits=100', 'names "credits", which is none of people, looks, sessions, deliveries, audit'],
    ['people=100,people=200', 'names people twice'],
    ['people=39', 'keeps people for 39 days: it must be from 40 to 3650'],
    ['sessions=0', 'keeps sessions for 0 days: it must be from 1 to 3650'],
    ['deliveries=13', 'keeps deliveries for 13 days: it must be from 14 to 3650'],
    ['audit=89', 'keeps audit for 89 days: it must be from 90 to 3650'],
    ['audit=3651', 'keeps audit for 3651 days: it must be from 90 to 3650'],
    ['x'.repeat(201), 'is longer than 200 characters'],
  ])('name the fault of RETENTION_DAYS=%s in one sentence', (text, sentence) => {
    const result = readConfig({ ...COMPLETE, RETENTION_DAYS: text });
    expect(result).toMatchObject({ ok: false, faults: [{ name: 'RETENTION_DAYS', sentence }] });
  });

  test('name the fault of each wrong part of RETENTION_DAYS', () => {
    const result = readConfig({ ...COMPLETE, RETENTION_DAYS: 'people=1,days=2,audit=1' });
    expect(result.ok ? [] : result.faults).toHaveLength(3);
  });

  test('accept events of agents with a port and an address, or not at all', () => {
    const read = (settings: Record<string, string>) => readConfig({ ...COMPLETE, ...settings });
    const both = { HOOKS_PORT: '4100', HOOKS_URL: 'https://hooks.example/hooks/v1' };
    expect(read({})).toMatchObject({ config: { hooks: undefined, hooksShowText: false } });
    expect(read(both)).toMatchObject({ config: { hooks: { port: 4100, url: 'https://hooks.example' } } });
    for (const [settings, name] of [
      [{ HOOKS_PORT: '4100' }, 'HOOKS_PORT'],
      [{ HOOKS_URL: 'https://hooks.example' }, 'HOOKS_URL'],
      [{ ...both, PORT: '4100' }, 'HOOKS_PORT'],
      [{ ...both, METRICS_PORT: '4100' }, 'HOOKS_PORT'],
      [{ ...both, HOOKS_URL: 'https://hooks.example/$(reboot)' }, 'HOOKS_URL'],
      [{ ...both, HOOKS_URL: 'https://hooks.example/`x`' }, 'HOOKS_URL'],
    ] as const)
      expect(read(settings)).toMatchObject({ ok: false, faults: [{ name }] });
    const inClear = read({ ...both, HOOKS_URL: 'http://hooks.example' });
    expect(inClear.ok && warningsOf(inClear.config).map(({ name }) => name)).toEqual(['HOOKS_URL']);
  });

  test('name people by id, group or e-mail', () => {
    const result = readConfig({ ...COMPLETE, ADMINS: 'U012ABC, S9876 ,Ada@Acme.example,' });
    expect(result).toMatchObject({
      config: {
        admins: [
          { kind: 'user', id: 'U012ABC' },
          { kind: 'group', id: 'S9876' },
          { kind: 'email', email: 'ada@acme.example' },
        ],
      },
    });
  });

  test('report all wrong values together, each with its remedy', () => {
    const result = readConfig({
      SLACK_BOT_TOKEN: 'xoxp-1',
      PLATFORM_BASE_URL: 'platform.example',
      PORT: '70000',
      ADMINS: 'ada',
      DIGEST_AT: '9am',
      TIMEZONE: 'Berlin',
      DATABASE_URL: 'mysql://x',
      DIGEST_CHANNEL: 'Agent Usage',
      LOG_LEVEL: 'loud',
      CONTROLS_POLL_SECONDS: '1',
      COMPUTERS_ROLE: 'everybody',
      PEOPLE_ROLE: 'member',
      MIN_GROUP: '0',
    });
    const names = result.ok ? [] : result.faults.map((fault) => fault.name);
    expect(new Set(names)).toEqual(
      new Set([
        'SLACK_BOT_TOKEN',
        'SLACK_APP_TOKEN',
        'PLATFORM_BASE_URL',
        'PLATFORM_APP_URL',
        'PLATFORM_API_KEY',
        'PORT',
        'ADMINS',
        'DIGEST_AT',
        'TIMEZONE',
        'DATABASE_URL',
        'DIGEST_CHANNEL',
        'LOG_LEVEL',
        'CONTROLS_POLL_SECONDS',
        'COMPUTERS_ROLE',
        'PEOPLE_ROLE',
        'MIN_GROUP',
      ]),
    );
    expect(describeFaults(result.ok ? [] : result.faults)).toContain('npm run demo');
  });

  test.each(['week', 'month', 'month from 2', 'month from 28', 'quarter', 'year'])(
    'take “%s” for the period of limits',
    (period) =>
      expect(readConfig({ ...COMPLETE, LIMIT_PERIOD: ` ${period} ` })).toMatchObject({
        config: { limitPeriod: period },
      }),
  );

  const OTHER_DAY = 'is neither month nor a month that begins on a day from 2 to 28, such as month from 15';
  test.each([
    ['fortnight', 'is none of week, month, quarter, year'],
    ['week from 3', 'is none of week, month, quarter, year'],
    ['x'.repeat(1_000), 'is none of week, month, quarter, year'],
    ['month from 29', OTHER_DAY],
    ['month from 0', OTHER_DAY],
    ['month 15', OTHER_DAY],
  ])('refuse “%s” as the period of limits', (period, sentence) =>
    expect(readConfig({ ...COMPLETE, LIMIT_PERIOD: period })).toMatchObject({
      ok: false,
      faults: [{ name: 'LIMIT_PERIOD', sentence }],
    }),
  );

  test.each([
    ['http://proxy.acme.example:3128', 'http://proxy.acme.example:3128/'],
    ['https://proxy.acme.example', 'https://proxy.acme.example/'],
    ['proxy.acme.example:3128', 'http://proxy.acme.example:3128/'],
    ['me:pa%40ss%25@proxy.acme.example:3128', 'http://me:pa%40ss%25@proxy.acme.example:3128/'],
    ['http://me:p@ss@proxy.acme.example:3128', 'http://me:p%40ss@proxy.acme.example:3128/'],
    ['10.1.2.3:3128', 'http://10.1.2.3:3128/'],
    ['http://[fd00::1]:3128', 'http://[fd00::1]:3128/'],
  ])('take %s for a proxy, in upper and lower case', (typed, address) => {
    for (const name of ['HTTPS_PROXY', 'https_proxy'])
      expect(readConfig({ ...COMPLETE, [name]: typed })).toMatchObject({ ok: true, secrets: { httpsProxy: address } });
    expect(readConfig({ ...COMPLETE, HTTP_PROXY: typed, http_proxy: 'http://other.example' })).toMatchObject({
      ok: true,
      secrets: { httpProxy: address, httpsProxy: undefined },
    });
  });

  test.each([
    ['socks5://me:SECRET@proxy.acme.example:1080', 'is neither http:// nor https://: SOCKS is not supported'],
    ['http://me:SECRET#x@proxy.acme.example', 'is not the address of a proxy'],
    ['http://me:SECRET/x@proxy.acme.example', 'is not the address of a proxy'],
    ['http://proxy.acme.example:3128/SECRET', 'is not the address of a proxy'],
    ['http://me:SECRET%@proxy.acme.example', 'holds a % in its login that begins no escape: write it as %25'],
    ['http://me:SECRET%zz@proxy.acme.example', 'holds a % in its login that begins no escape: write it as %25'],
    ['http://me:SECRET%ff@proxy.acme.example', 'holds a % in its login that begins no escape: write it as %25'],
    [`http://${'SECRET'.repeat(400)}.example`, 'is too long for the address of a proxy'],
  ])('refuse %s as a proxy, without quoting it', (typed, sentence) => {
    const result = readConfig({ ...COMPLETE, https_proxy: typed });
    const faults = result.ok ? [] : result.faults;
    expect(faults).toEqual([{ name: 'HTTPS_PROXY', sentence: expect.stringContaining(sentence) }]);
    expect(JSON.stringify(faults)).not.toContain('SECRET');
  });

  test.each(['tcp://10.96.14.7:80', 'udp://10.96.14.7:53', 'sctp://[fd00::1]:80'])(
    'count ports that Kubernetes sets to a Service (%s) as not set, and name them',
    (link) => {
      const environment = { ...COMPLETE, HOOKS_PORT: link, MCP_PORT: link, METRICS_PORT: link };
      expect(readConfig(environment)).toMatchObject({ ok: true, config: { hooks: undefined, metricsPort: 9464 } });
      expect(serviceLinksIn(environment).map(({ name }) => name)).toEqual(['METRICS_PORT', 'HOOKS_PORT', 'MCP_PORT']);
      expect(serviceLinksIn({ ...COMPLETE, METRICS_PORT: '9464' })).toEqual([]);
      expect(readConfig({ ...COMPLETE, METRICS_PORT: '10.96.14.7:80' })).toMatchObject({ ok: false });
    },
  );

  test('treat an empty value as not set', () => {
    expect(readConfig({ ...COMPLETE, TIMEZONE: '  ', PORT: '' })).toMatchObject({
      ok: true,
      config: { timeZone: 'UTC', port: 3000 },
    });
  });
});

describe('the log', () => {
  test('never holds a secret, in whatever field', () => {
    const lines: string[] = [];
    const log = createLogger('info', ['platform-key-123', undefined], (line) => void lines.push(line));
    log.error(
      { err: new Error('Bearer abc.def refused for platform-key-123') },
      'xoxb-12-ab and postgres://me:pass@host/db',
    );
    expect(lines.join('')).not.toMatch(/platform-key-123|xoxb-12|abc\.def|:pass@/);
    expect(lines.join('')).toContain('[secret]');
  });

  test('keeps text that is not secret', () => {
    expect(createScrub(['s3cret-value'])('day 2026-03-01 in C0123 of https://platform.example/api')).toBe(
      'day 2026-03-01 in C0123 of https://platform.example/api',
    );
  });
});

describe('an unencrypted address', () => {
  const warned = (settings: Record<string, string>) => {
    const read = readConfig({ ...COMPLETE, ...settings });
    return read.ok ? warningsOf(read.config).map(({ name }) => name) : read.faults;
  };

  test('is reported, except for this machine itself', () => {
    expect(warned({ PLATFORM_BASE_URL: 'http://platform.example' })).toEqual(['PLATFORM_BASE_URL']);
    expect(warned({ SLACK_API_URL: 'http://slack.example/api', PLATFORM_APP_URL: 'http://app.example' })).toEqual([
      'PLATFORM_APP_URL',
      'SLACK_API_URL',
    ]);
    expect(warned({ PLATFORM_BASE_URL: 'http://127.0.0.1:4000', PLATFORM_APP_URL: 'http://localhost' })).toEqual([]);
    expect(warned({ PLATFORM_BASE_URL: 'https://platform.example' })).toEqual([]);
  });

  test.each([
    'https://api.example/ # main',
    '"https://api.example"',
    'https://me:pw@api.example',
    'https://a.example?x=1',
  ])('is a fault if it is not a bare address: %s', (address) => {
    expect(warned({ PLATFORM_BASE_URL: address })).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'PLATFORM_BASE_URL' })]),
    );
  });
});
