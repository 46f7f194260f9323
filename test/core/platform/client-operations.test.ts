import { expect, test } from 'vitest';
import type { PlatformClient } from '../../../src/core/platform/client.ts';
import { createAnalytics } from '../../../src/core/platform/endpoints/analytics.ts';
import { createComputers } from '../../../src/core/platform/endpoints/computers.ts';
import { createControls } from '../../../src/core/platform/endpoints/controls.ts';
import { createLimits } from '../../../src/core/platform/endpoints/limits.ts';
import { createReadiness } from '../../../src/core/platform/endpoints/readiness.ts';
import { createSessions } from '../../../src/core/platform/endpoints/sessions.ts';
import { createRedact } from '../../../src/core/platform/redaction/redact.ts';
import type { Send } from '../../../src/core/platform/transport/request.ts';
import { COVERAGE } from '../../../src/sandbox/platform/coverage.ts';

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
      userPages: analytics.userPages(period).next(),
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
    return Promise.reject(new Error('no answer'));
  };
  const answers = Object.values(callEach(send)).flatMap((area): Promise<unknown>[] => Object.values(area));
  const outcomes = await Promise.allSettled(answers);
  // A refusal by the client itself would send no request.
  expect(new Set(outcomes.map((one) => String(one.status === 'rejected' && one.reason)))).toEqual(
    new Set(['Error: no answer']),
  );
  return sent;
}

test('the client sends each operation and parameter that the simulated platform knows, and no other', async () => {
  const known = COVERAGE.map(({ operation, parameter }) => [operation, parameter].filter(Boolean).join(' '));
  expect([...(await sentByTheClient())].toSorted()).toEqual(known.toSorted());
});
