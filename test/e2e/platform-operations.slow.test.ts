import { afterEach, beforeEach, expect, test } from 'vitest';
import { COVERAGE } from '../../src/sandbox/platform/coverage.ts';
import { ask as askForLimit, review } from '../support/limits/limits.ts';
import { askForComputer } from '../support/computers.ts';
import { TALKS } from '../support/platform/operations.ts';
import { clickButton, nextAnswer, typeCommand } from '../support/slack/conversation.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp({
    settings: { LIMITS_CHANNEL: '#agent-usage' },
    platform: { people: 250, oldestRevision: 1, revisions: 150 },
  });
});
afterEach(() => scene.close());

/** Values that the API document lists for a parameter: each one counts. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'GET /api/v1/analytics/tokens group_by': ['model'],
  'GET /api/v1/analytics/tools group_by': ['tool_name'],
  'GET /api/v1/analytics/activity group_by': ['client'],
  'GET /api/v0/sessions/{sessionId}/messages role': ['user', 'assistant', 'tool'],
};

const OPERATIONS = COVERAGE.filter(({ parameter }) => parameter === undefined).map(({ operation }) => operation);

const TODAYS = new Set(
  COVERAGE.filter(({ edition, parameter }) => edition === 'today' && parameter === undefined).map(
    ({ operation }) => operation,
  ),
);

const COVERED = COVERAGE.filter(({ edition }) => edition !== 'today').flatMap(({ operation, parameter }) => {
  if (parameter === undefined) return [operation];
  const use = `${operation} ${parameter}`;
  return VALUES[use]?.map((value) => `${use}=${value}`) ?? [use];
});

/** The operation of a path, and the values in it. */
function operationOf(method: string, path: string): { operation: string; values: string[] } {
  for (const operation of OPERATIONS) {
    const names = [...operation.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const pattern = new RegExp(`^${operation.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    if (pattern.test(`${method} ${path}`)) return { operation, values: names };
  }
  throw new Error(`The platform has no ${method} ${path}`);
}

/** The operations and parameters with which the platform was asked, as the coverage table names them. */
function uses(): Set<string> {
  return new Set(
    scene.platform.requests.flatMap(({ method, path, query, body }) => {
      const { operation, values } = operationOf(method, path);
      // Whether the platform has these is asked, too.
      if (TODAYS.has(operation)) return [];
      const fields = typeof body === 'object' && body !== null ? Object.keys(body) : [];
      const given = Object.entries(query).map(([name, value]) =>
        VALUES[`${operation} ${name}`] ? `${name}=${value}` : name,
      );
      return [operation, ...[...values, ...fields, ...given].map((name) => `${operation} ${name}`)];
    }),
  );
}

test('commands, buttons and forms in Slack use every operation and parameter of the platform, and no other', async () => {
  const type = (command: string, text = '') => typeCommand(scene.slack, 'ada', command, text);
  // Grouped figures are read for days that lack their parts.
  scene.platform.faults.add({ match: { path: '/api/v1/analytics' }, kind: 'no_breakdowns' });
  const session = scene.platform.sessionIds.at(-1) ?? '';
  let days = 0;
  const freshDay = () => new Date(Date.UTC(2026, 1, (days += 1))).toISOString().slice(0, 10);
  for (const talk of Object.values(TALKS))
    await talk({ ask: type, freshDay, session, passHours: () => {}, revise: () => {} });
  // The parameters that those commands leave out.
  await type('/usage', 'people 28d');
  await type('/readiness', 'repo_infra');
  const page = await type('/session', session);
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'ada', page, 'Older');
  await nextAnswer(scene.slack, since);
  for (const words of ['user', 'tool', 'computer computer_7']) await type('/session', `${session} ${words}`);
  await askForComputer(
    scene,
    { provider: 'byom', hostId: crypto.randomUUID(), repos: 'https://github.com/acme/web', install: [] },
    'ada',
  );
  await type('/computers');
  await type('/computers', 'retry payments-ci');
  const request = await askForLimit(scene, 'mia', { amount: '700' });
  await review(scene, 'ada', request, 'approve');
  expect([...uses()].toSorted()).toEqual(COVERED.toSorted());
});
