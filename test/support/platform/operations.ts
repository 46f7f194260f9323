import type { PlatformClient } from '../../../src/core/platform/client.ts';

/** What one part of the tests asks for: everything that an operation takes, or as little as possible. */
export interface Asked {
  period: { startDate: string; endDate: string };
  page: { limit?: number; cursor?: string };
  report: { repoId?: string; startAfter?: string; limit?: number };
  session: string;
  messages: { role?: 'user'; computerId?: string };
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

type Calls<Client extends Omit<PlatformClient, 'close'>> = {
  [Area in keyof Client]: Record<Exclude<keyof Client[Area], 'redactStored'>, () => Promise<unknown>>;
};

/** Every method of the client, by area; the types see to it that none is left out. `redactStored` asks for nothing. */
export function callsOf(client: Omit<PlatformClient, 'close'>, { period, page, report, session, messages }: Asked) {
  const { analytics, readiness, controls, sessions, computers, limits, shownLimits, roster } = client;
  const order = { name: 'n', remoteUser: 'u', provider: 'byom', hostId: crypto.randomUUID() } as const;
  return {
    analytics: {
      tokens: async () => (await analytics.tokens(period)).data,
      changedTokens: async () => (await analytics.changedTokens(period, undefined)).answer?.data,
      tokensByModel: async () => (await analytics.tokensByModel(period)).data,
      tools: async () => (await analytics.tools(period)).data,
      toolsByName: async () => (await analytics.toolsByName(period)).data,
      activity: async () => (await analytics.activity(period)).data,
      activityByClient: async () => (await analytics.activityByClient(period)).data,
      productivity: async () => (await analytics.productivity(period)).data,
      users: () => analytics.users({ ...period, ...page }),
      userPages: async () => (await collect(analytics.userPages(period))).flat(),
    },
    readiness: {
      reports: () => readiness.reports(report),
      eachReport: () => collect(readiness.eachReport(report)),
    },
    controls: {
      history: () => controls.history(page),
      eachChange: () => collect(controls.eachChange(page)),
    },
    sessions: {
      messages: () => sessions.messages(session, { ...page, ...messages }),
      eachMessage: () => collect(sessions.eachMessage(session, page)),
    },
    computers: {
      list: () => computers.list(),
      get: () => computers.get('c'),
      create: () => computers.create({ ...order, repos: ['https://git.example/r'], autoInstallDeps: true }),
      installDeps: () => computers.installDeps('c'),
    },
    limits: {
      setUserLimits: () => limits.setUserLimits([{ email: 'mia.member@acme.example', limit: 7 }]),
    },
    shownLimits: { read: () => shownLimits.read() },
    roster: { read: () => roster.read() },
  } satisfies Calls<Omit<PlatformClient, 'close'>>;
}

/** Someone who types commands while days pass, and the values that they need. */
export interface Talk {
  ask: (command: string, text?: string) => Promise<unknown>;
  /** A day that was not asked for before: settled days are read from the store. */
  freshDay: () => string;
  session: string;
  /** Lets hours pass, after which reports are read again. */
  passHours: () => void;
  /** Adds a revision of the controls, and lets the bot read it. */
  revise: () => void;
}

/** The commands that make the bot read an operation again and show the result. */
export const TALKS: Readonly<Record<string, (talk: Talk) => Promise<void>>> = {
  'GET /api/v1/analytics/tokens': async ({ ask, freshDay }) => {
    const day = freshDay();
    await ask('/usage', `models ${day}`);
    await ask('/usage', `people ${day}`);
  },
  'GET /api/v1/analytics/tools': async ({ ask, freshDay }) => void (await ask('/usage', `tools ${freshDay()}`)),
  'GET /api/v1/analytics/activity': async ({ ask, freshDay }) => void (await ask('/usage', `activity ${freshDay()}`)),
  'GET /api/v1/analytics/productivity': async ({ ask, freshDay }) =>
    void (await ask('/usage', `productivity ${freshDay()}`)),
  'GET /api/v1/analytics/users': async ({ ask, freshDay }) => void (await ask('/usage', `people ${freshDay()}`)),
  'GET /api/organization/maturity-level-reports': async ({ ask, passHours }) => {
    passHours();
    await ask('/readiness');
    await ask('/readiness', 'payments');
  },
  'GET /api/v0/computers': async ({ ask }) => void (await ask('/computers')),
  'GET /api/v0/sessions/{sessionId}/messages': async ({ ask, session }) => void (await ask('/session', session)),
  'GET /api/v0/organization/enterprise-controls/history': async ({ ask, revise }) => {
    revise();
    await ask('/controls', 'show 11');
    await ask('/controls', 'history');
  },
};
