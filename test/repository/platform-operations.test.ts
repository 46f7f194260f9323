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

/**
 * The use of an operation of the API document, or of one of its parameters, from Slack, and the test that proves it.
 */
interface Use {
  /** The name in the simulator's own table, which follows the document. */
  operation: string;
  /** For a parameter with few values, each value: `group_by=model`. */
  parameters: Readonly<Record<string, Place>>;
  place: Place;
}
type Place = readonly [slack: string, test: string];

const USAGE_PAGES: Place = ['/usage people', 'of people names all people to a manager, and to no other role'];
const PERIOD: Place = ['/usage credits 7d', 'covers a week of people’s credits at a time, and a quarter of totals'];
const TOTALS: Place = ['/usage tools 28d', 'covers a week of people’s credits at a time, and a quarter of totals'];
const GROUPED = 'of tools, clients and models is requested by group, and has the same totals';
const READINESS: Place = ['/readiness', 'reads page by page, in any order of the platform, and shares a reading'];
const CONTROLS: Place = [
  '/controls watch',
  'reports each new revision once, in order: the author, the changes, and weaker settings first',
];
const SESSION: Place = ['/session ses_1', 'shows the newest page of visible content, and pages in both directions'];
const CREATE: Place = [
  '/computers create',
  'creates one computer, whose card is updated until the computer is ready; then a direct message follows',
];
const FIELDS: Place = ['/computers create', 'reports each fault at its field'];
const RETRY: Place = [
  '/computers retry',
  'of a failed installation offers one retry to the requester, and becomes ready after it',
];
const LIMITS: Place = [
  '/limits request',
  'is made by a member, approved by an admin and set on the platform, and everyone involved sees the platform’s answer',
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
      'are requested once if they are settled, also by another process; days that may still change are requested again',
    ],
    parameters: {
      startDate: ['/usage activity', 'is not sent for days that were read a moment ago if the reader accepts this age'],
      endDate: ['/usage activity', 'is never requested if it is today'],
      'group_by=client': ['/usage activity', GROUPED],
    },
  },
  {
    operation: 'GET /api/v1/analytics/productivity',
    place: ['/usage productivity', 'has no row, and appears as soon as the platform has it'],
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
      sessionId: ['/session ses_1', 'with an unknown or malformed id is refused clearly'],
      limit: SESSION,
      cursor: SESSION,
      computerId: ['/session ses_1 computer computer_7', 'reads from a computer directly'],
      'role=user': ['/session ses_1 user', 'filters by role, and mentions hidden messages'],
      'role=assistant': SESSION,
      'role=tool': ['/session ses_1 tool', 'filters by role, and mentions hidden messages'],
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
        'starts with the values of the person’s last order, and with the repository of the command',
      ],
      autoInstallDeps: CREATE,
    },
  },
  {
    operation: 'GET /api/v0/computers',
    place: ['/computers', 'asks for confirmation if the name exists, and then creates one computer'],
    parameters: {},
  },
  {
    operation: 'GET /api/v0/computers/{computerId}',
    place: ['/computers show', 'ends after two hours with a note, polled less and less often'],
    parameters: { computerId: ['/computers show', 'is updated further after a restart'] },
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

/** Every method of the client, called with all its parameters; the types ensure that none is missing. */
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
      // It sends no request.
      Exclude<keyof PlatformClient[Area], 'redactStored'>,
      Promise<unknown>
    >;
  };
}

/** The operations that the client sends, and `operation parameter` for each parameter of them. */
async function sentByTheClient(): Promise<Set<string>> {
  const sent = new Set<string>();
  const send: Send = ({ method, path, pathValues = {}, query = {}, body }) => {
    const operation = `${method} ${path}`;
    sent.add(operation);
    const parameters = { ...pathValues, ...query, ...(typeof body === 'object' ? body : {}) };
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) sent.add(`${operation} ${name}`);
    return Promise.reject(new Error('no answer'));
  };
  const answers = Object.values(callEach(send)).flatMap((area): Promise<unknown>[] => Object.values(area));
  const outcomes = await Promise.allSettled(answers);
  // Requests that the client itself refuses are not sent.
  expect(new Set(outcomes.map((one) => String(one.status === 'rejected' && one.reason)))).toEqual(
    new Set(['Error: no answer']),
  );
  return sent;
}

const named = (use: Use) => Object.keys(use.parameters).map((parameter) => `${use.operation} ${parameter}`);
const places = USES.flatMap((use) => [use.place, ...Object.values(use.parameters)]);

describe('every operation of the platform', () => {
  test('is used from Slack, with every parameter and value, and no other operation is', () => {
    const operations = COVERAGE.filter(({ parameter }) => parameter === undefined).map(({ operation }) => operation);
    expect(USES.map(({ operation }) => operation).toSorted()).toEqual(operations.toSorted());
    const parameters = COVERAGE.flatMap(({ operation, parameter }) => {
      if (parameter === undefined) return [];
      const values = VALUES[`${operation} ${parameter}`];
      return values ? values.map((value) => `${operation} ${parameter}=${value}`) : [`${operation} ${parameter}`];
    });
    expect(USES.flatMap(named).toSorted()).toEqual(parameters.toSorted());
  });

  test('is sent by the client with its documented parameters, and no other operation is', async () => {
    const known = COVERAGE.map(({ operation, parameter }) => [operation, parameter].filter(Boolean).join(' '));
    expect([...(await sentByTheClient())].toSorted()).toEqual(known.toSorted());
  });

  test('is reached by a command of the manifest', () => {
    const manifest = readText('manifest.yml');
    const commands = new Set(places.map(([slack]) => slack.split(' ')[0] ?? ''));
    expect([...commands].filter((command) => !manifest.includes(`command: ${command}\n`))).toEqual([]);
  });

  test('is covered by a test that exists', () => {
    const tests = typeScriptFiles('test')
      .filter(({ path }) => !path.endsWith('platform-operations.test.ts'))
      .map(({ text }) => text)
      .join('\n');
    expect(places.map(([, title]) => title).filter((title) => !tests.includes(`'${title}'`))).toEqual([]);
  });
});
