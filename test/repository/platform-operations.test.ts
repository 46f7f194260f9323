import { describe, expect, test } from 'vitest';
import type { PlatformClient } from '../../src/platform/client.ts';
import { createAnalytics } from '../../src/platform/endpoints/analytics.ts';
import { createComputers } from '../../src/platform/endpoints/computers.ts';
import { createControls } from '../../src/platform/endpoints/controls.ts';
import { createLimits } from '../../src/platform/endpoints/limits.ts';
import { createReadiness } from '../../src/platform/endpoints/readiness.ts';
import { createSessions } from '../../src/platform/endpoints/sessions.ts';
import { createRedact } from '../../src/platform/redaction/redact.ts';
import type { Send } from '../../src/platform/transport/request.ts';
import { COVERAGE } from '../../src/sandbox/platform/coverage.ts';
import { readText, typeScriptFiles } from './parsing/sources.ts';

/** Where an operation of the API document, or one of its parameters, is used from Slack, and the test that proves it. */
interface Use {
  /** As the simulator's own table names it, which follows the document. */
  operation: string;
  /** Of a parameter that takes few values, each value: `group_by=model`. */
  parameters: Readonly<Record<string, Place>>;
  place: Place;
}
type Place = readonly [slack: string, test: string];

const USAGE_PAGES: Place = ['/usage people', 'of people names everybody to a manager, and to nobody else'];
const PERIOD: Place = ['/usage credits 7d', 'is a week of people’s credits at a time, and a quarter of totals'];
const TOTALS: Place = ['/usage tools 28d', 'is a week of people’s credits at a time, and a quarter of totals'];
const GROUPED = 'of tools, clients and models is asked for grouped, and says the same';
const READINESS: Place = [
  '/readiness',
  'reads page by page, whatever order the platform has them in, and shares a reading',
];
const CONTROLS: Place = [
  '/controls watch',
  'tells of each new revision once, in its order: who, what, and what got weaker first',
];
const SESSION: Place = ['/session ses_1', 'shows the newest page of what is meant to be seen, and turns both ways'];
const CREATE: Place = [
  '/computers create',
  'makes one computer, and one card follows it until it is ready; then a direct message comes',
];
const FIELDS: Place = ['/computers create', 'tells each wrong field what is wrong with it'];
const RETRY: Place = [
  '/computers retry',
  'of an installation that failed offers to retry it, once, to the person who asked; and then gets ready',
];
const LIMITS: Place = [
  '/limits request',
  'is asked for by a member, decided by an admin, set on the platform, and everybody is told what the platform said',
];

const USES: readonly Use[] = [
  {
    operation: 'GET /api/v1/analytics/tokens',
    place: PERIOD,
    parameters: { startDate: PERIOD, endDate: PERIOD, 'group_by=model': ['/usage models', GROUPED] },
  },
  {
    operation: 'GET /api/v1/analytics/tools',
    place: TOTALS,
    parameters: { startDate: TOTALS, endDate: TOTALS, 'group_by=tool_name': ['/usage tools', GROUPED] },
  },
  {
    operation: 'GET /api/v1/analytics/activity',
    place: [
      '/usage activity',
      'are asked for once where they are settled, also by another process; what may still change is asked for again',
    ],
    parameters: {
      startDate: [
        '/usage activity',
        'is nothing that was read a moment ago, for somebody who says that this is recent enough',
      ],
      endDate: ['/usage activity', 'that is today is never asked for'],
      'group_by=client': ['/usage activity', GROUPED],
    },
  },
  {
    operation: 'GET /api/v1/analytics/productivity',
    place: ['/usage productivity', 'has no row, and is there as soon as the platform has it'],
    parameters: {
      startDate: ['/usage productivity', 'names the part that could not be read and shows the rest'],
      endDate: ['/usage productivity', 'names the part that could not be read and shows the rest'],
    },
  },
  {
    operation: 'GET /api/v1/analytics/users',
    place: USAGE_PAGES,
    parameters: { startDate: USAGE_PAGES, endDate: USAGE_PAGES, limit: USAGE_PAGES, cursor: USAGE_PAGES },
  },
  {
    operation: 'GET /api/organization/maturity-level-reports',
    place: READINESS,
    parameters: {
      repoId: ['/readiness repo_infra', 'finds a repository by the platform’s own id'],
      limit: READINESS,
      startAfter: READINESS,
    },
  },
  {
    operation: 'GET /api/v0/organization/enterprise-controls/history',
    place: CONTROLS,
    parameters: { limit: CONTROLS, cursor: CONTROLS },
  },
  {
    operation: 'GET /api/v0/sessions/{sessionId}/messages',
    place: SESSION,
    parameters: {
      sessionId: ['/session ses_1', 'that nobody knows, or that is no id, is a clear refusal'],
      limit: SESSION,
      cursor: SESSION,
      computerId: ['/session ses_1 computer computer_7', 'asks a computer directly'],
      'role=user': ['/session ses_1 user', 'asks by role, and says of hidden messages that they are'],
      'role=assistant': SESSION,
      'role=tool': ['/session ses_1 tool', 'asks by role, and says of hidden messages that they are'],
    },
  },
  {
    operation: 'POST /api/v0/computers',
    place: CREATE,
    parameters: {
      name: CREATE,
      remoteUser: CREATE,
      provider: FIELDS,
      hostId: FIELDS,
      repos: [
        '/computers create https://…',
        'is filled with the person’s last order, and with the repository of the command',
      ],
      autoInstallDeps: CREATE,
    },
  },
  {
    operation: 'GET /api/v0/computers',
    place: ['/computers', 'asks before it makes another one of a name that exists, and makes it once'],
    parameters: {},
  },
  {
    operation: 'GET /api/v0/computers/{computerId}',
    place: ['/computers show', 'ends after two hours with a note, polled ever less'],
    parameters: { computerId: ['/computers show', 'goes on after a restart'] },
  },
  { operation: 'POST /api/v0/computers/{computerId}/install-deps', place: RETRY, parameters: { computerId: RETRY } },
  { operation: 'PUT /api/v0/organization/usage/limits/users', place: LIMITS, parameters: { users: LIMITS } },
];

/** Values that the document lists for a parameter. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'GET /api/v1/analytics/tokens group_by': ['model'],
  'GET /api/v1/analytics/tools group_by': ['tool_name'],
  'GET /api/v1/analytics/activity group_by': ['client'],
  'GET /api/v0/sessions/{sessionId}/messages role': ['user', 'assistant', 'tool'],
};

const period = { startDate: '2026-03-01', endDate: '2026-03-07' };
const page = { limit: 1, cursor: 'c' };

/** Every method of the client, asked with all that it takes; the types see to it that none is left out. */
function callEach(send: Send) {
  const analytics = createAnalytics(send);
  const readiness = createReadiness(send);
  const controls = createControls(send, createRedact('k'));
  const sessions = createSessions(send);
  const computers = createComputers(send);
  const limits = createLimits(send);
  const report = { repoId: 'r', limit: 1 };
  const order = { name: 'n', remoteUser: 'u', provider: 'byom', hostId: crypto.randomUUID() } as const;
  return {
    analytics: {
      tokens: analytics.tokens(period),
      tokensByModel: analytics.tokensByModel(period),
      tools: analytics.tools(period),
      toolsByName: analytics.toolsByName(period),
      activity: analytics.activity(period),
      activityByClient: analytics.activityByClient(period),
      productivity: analytics.productivity(period),
      users: analytics.users({ ...period, ...page }),
      eachUser: analytics.eachUser(period).next(),
    },
    readiness: {
      reports: readiness.reports({ ...report, startAfter: 'r' }),
      eachReport: readiness.eachReport(report).next(),
    },
    controls: { history: controls.history(page), eachChange: controls.eachChange().next() },
    sessions: {
      messages: sessions.messages('s', { ...page, role: 'user', computerId: 'c' }),
      eachMessage: sessions.eachMessage('s').next(),
    },
    computers: {
      list: computers.list(),
      get: computers.get('c'),
      create: computers.create({ ...order, repos: ['https://git.example/r'], autoInstallDeps: true }),
      installDeps: computers.installDeps('c'),
    },
    limits: { setUserLimits: limits.setUserLimits([{ email: 'mia@acme.example', limit: 1 }]) },
  } satisfies {
    [Area in Exclude<keyof PlatformClient, 'close'>]: Record<
      // It asks for nothing.
      Exclude<keyof PlatformClient[Area], 'redactStored'>,
      Promise<unknown>
    >;
  };
}

/** The operations that the client sends, and `operation parameter` of what it sends with them. */
async function sentByTheClient(): Promise<Set<string>> {
  const sent = new Set<string>();
  const send: Send = ({ method, path, pathValues = {}, query = {}, body }) => {
    const operation = `${method} ${path}`;
    sent.add(operation);
    const parameters = { ...pathValues, ...query, ...(typeof body === 'object' ? body : {}) };
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) sent.add(`${operation} ${name}`);
    return Promise.reject(new Error('nobody answers'));
  };
  const answers = Object.values(callEach(send)).flatMap((area): Promise<unknown>[] => Object.values(area));
  const outcomes = await Promise.allSettled(answers);
  // What the client refuses itself is sent nowhere.
  expect(new Set(outcomes.map((one) => String(one.status === 'rejected' && one.reason)))).toEqual(
    new Set(['Error: nobody answers']),
  );
  return sent;
}

const named = (use: Use) => Object.keys(use.parameters).map((parameter) => `${use.operation} ${parameter}`);
const places = USES.flatMap((use) => [use.place, ...Object.values(use.parameters)]);

describe('every operation of the platform', () => {
  test('is used from Slack, with every parameter and value, and nothing else is', () => {
    const operations = COVERAGE.filter(({ parameter }) => parameter === undefined).map(({ operation }) => operation);
    expect(USES.map(({ operation }) => operation).toSorted()).toEqual(operations.toSorted());
    const parameters = COVERAGE.flatMap(({ operation, parameter }) => {
      if (parameter === undefined) return [];
      const values = VALUES[`${operation} ${parameter}`];
      return values ? values.map((value) => `${operation} ${parameter}=${value}`) : [`${operation} ${parameter}`];
    });
    expect(USES.flatMap(named).toSorted()).toEqual(parameters.toSorted());
  });

  test('is sent by the client as the simulated platform knows it, and nothing else is', async () => {
    const known = COVERAGE.map(({ operation, parameter }) => [operation, parameter].filter(Boolean).join(' '));
    expect([...(await sentByTheClient())].toSorted()).toEqual(known.toSorted());
  });

  test('is reached by a command of the manifest', () => {
    const manifest = readText('manifest.yml');
    const commands = new Set(places.map(([slack]) => slack.split(' ')[0] ?? ''));
    expect([...commands].filter((command) => !manifest.includes(`command: ${command}\n`))).toEqual([]);
  });

  test('is proved by a test that exists', () => {
    const tests = typeScriptFiles('test')
      .filter(({ path }) => !path.endsWith('platform-operations.test.ts'))
      .map(({ text }) => text)
      .join('\n');
    expect(places.map(([, title]) => title).filter((title) => !tests.includes(`'${title}'`))).toEqual([]);
  });
});
