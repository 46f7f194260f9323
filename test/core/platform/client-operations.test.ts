import { expect, test } from 'vitest';
import { createAnalytics } from '../../../src/core/platform/endpoints/analytics.ts';
import { createComputers } from '../../../src/core/platform/endpoints/computers.ts';
import { createControls } from '../../../src/core/platform/endpoints/controls.ts';
import { createLimits } from '../../../src/core/platform/endpoints/limits.ts';
import { createReadiness } from '../../../src/core/platform/endpoints/readiness.ts';
import { createRoster } from '../../../src/core/platform/endpoints/roster.ts';
import { createShownLimits } from '../../../src/core/platform/endpoints/shown-limits.ts';
import { createSessions } from '../../../src/core/platform/endpoints/sessions.ts';
import { isPlatformError, PlatformError } from '../../../src/core/platform/errors.ts';
import { createRedact } from '../../../src/core/platform/redaction/redact.ts';
import type { Send } from '../../../src/core/platform/transport/request.ts';
import { COVERAGE } from '../../../src/sandbox/platform/coverage.ts';
import { callsOf, type Asked } from '../../support/platform/operations.ts';

/** The client, for a test that looks at what it sends. */
const clientOf = (send: Send) => ({
  analytics: createAnalytics(send),
  readiness: createReadiness(send),
  controls: createControls(send, createRedact('k')),
  sessions: createSessions(send),
  computers: createComputers(send),
  limits: createLimits(send),
  shownLimits: createShownLimits(send),
  roster: createRoster(send),
});

const EVERYTHING: Asked = {
  period: { startDate: '2026-03-01', endDate: '2026-03-07' },
  page: { limit: 1, cursor: 'c' },
  report: { repoId: 'r', startAfter: 'r', limit: 1 },
  session: 's',
  messages: { role: 'user', computerId: 'c' },
};

/** The operations that the client sends, and `operation parameter` of what it sends with them. */
async function sentByTheClient(): Promise<Set<string>> {
  const sent = new Set<string>();
  const send: Send = ({ method, path, pathValues = {}, query = {}, body, schema }) => {
    const operation = `${method} ${path}`;
    sent.add(operation);
    const parameters = { ...pathValues, ...query, ...(typeof body === 'object' ? body : {}) };
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) sent.add(`${operation} ${name}`);
    const isList = method === 'GET' && path === '/api/v0/computers';
    // A list without steps is requested with them.
    if (isList && query['includeProvisioningSteps'] === undefined)
      return Promise.resolve(schema.parse({ computers: [{ id: 'c', name: 'n', providerType: 'e2b', createdAt: 1 }] }));
    // A list of members with a next page is requested on.
    if (path === '/api/v0/organization/users' && query['cursor'] === undefined)
      return Promise.resolve(schema.parse({ users: [], pagination: { hasMore: true, nextCursor: 'c' } }));
    // An operation that is not there leads the client to the other places where it may be.
    return Promise.reject(new PlatformError({ code: 'not_found', method, path, detail: 'no answer' }));
  };
  const calls = Object.values(callsOf(clientOf(send), EVERYTHING)).flatMap((area) => Object.values(area));
  const outcomes = await Promise.allSettled(calls.map((call) => call()));
  // A refusal by the client itself would send no request.
  const codes = outcomes.map((one) =>
    one.status === 'rejected' && isPlatformError(one.reason) ? one.reason.code : one.status,
  );
  expect(new Set(codes)).toEqual(new Set(['not_found', 'fulfilled']));
  return sent;
}

test('the client sends each operation and parameter that the simulated platform knows, and no other', async () => {
  const known = COVERAGE.map(({ operation, parameter }) => [operation, parameter].filter(Boolean).join(' '));
  expect([...(await sentByTheClient())].toSorted()).toEqual(known.toSorted());
});
