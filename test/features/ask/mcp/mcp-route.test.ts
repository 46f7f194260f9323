import { once } from 'node:events';
import { request as startRequest } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../../../src/core/base/log.ts';
import { readConfig } from '../../../../src/core/base/settings/config.ts';
import { systemClock } from '../../../../src/core/base/time/clock.ts';
import { startHttpServer } from '../../../../src/core/http/server.ts';
import { createSlackClients } from '../../../../src/core/slack/client/clients.ts';
import { createPeople } from '../../../../src/core/slack/people/people.ts';
import { openStore } from '../../../../src/core/store/database.ts';
import { withAsk } from '../../../../src/features/ask/ask-tables.ts';
import { createChannels } from '../../../../src/core/slack/outbound/channels/channels.ts';
import type { ToolDeps } from '../../../../src/features/ask/ask-deps.ts';
import { mcpRoute } from '../../../../src/features/ask/mcp/mcp-route.ts';
import { createDatabase } from '../../../support/stores/databases.ts';
import { signatureHeaders } from '../../../../src/sandbox/slack/transport/signature-headers.ts';

const SECRET = 'signing-secret';
const BODY = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

/** The port of the tools, with a server behind it that a test plays. */
async function startRoute(answer: (request: Request) => Promise<Response>) {
  const settings = readConfig({
    SLACK_BOT_TOKEN: 'xoxb-0',
    SLACK_SIGNING_SECRET: SECRET,
    PLATFORM_BASE_URL: 'https://api.acme.example',
    PLATFORM_APP_URL: 'https://app.acme.example',
    PLATFORM_API_KEY: 'key',
    MCP: 'slack',
    MCP_PORT: '4000',
    MCP_URL: 'http://localhost:4000',
  });
  if (!settings.ok) throw new Error(JSON.stringify(settings.faults));
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('debug', [], (line) => void lines.push(JSON.parse(line)));
  const database = await createDatabase('sqlite');
  const store = await openStore(database.url);
  // The door of Slack asks it nothing.
  const { lookups } = createSlackClients('xoxb-0', 'http://127.0.0.1:1/api/', log);
  const roles = { admins: undefined, managers: [], peopleRole: 'manager' as const };
  const deps: ToolDeps = {
    config: settings.config,
    clock: systemClock,
    log,
    db: withAsk(store.db),
    people: createPeople({ lookups, clock: systemClock, log, teamId: 'T1', ...roles }),
    channels: createChannels({ lookups, clock: systemClock, allowShared: false }),
    ask: () => Promise.reject(new Error('Nothing is asked')),
    inWorkspaceNames: (body) => ({ ...body }),
    teamId: 'T1',
    signature: { isSigned: () => true, nowMs: () => Date.now() },
  };
  const route = mcpRoute(deps, () => Promise.resolve({ fetch: answer, close: () => Promise.resolve() }));
  const server = await startHttpServer({ port: 0, setting: 'MCP_PORT', routes: [route], log });
  onTestFinished(async () => {
    await server.close();
    await store.close();
    await database.drop();
  });
  const call = () => {
    const sent = startRequest(`http://localhost:${server.port}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...signatureHeaders(SECRET, BODY),
      },
    });
    sent.on('error', () => {});
    sent.end(BODY);
    return sent;
  };
  return { call, errors: () => lines.filter(({ level }) => Number(level) >= 40) };
}

/** A body that ends only when it is cancelled. */
function endlessBody() {
  const cancelled = Promise.withResolvers<void>();
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data: {}\n\n')),
    cancel: () => cancelled.resolve(),
  });
  return { body, cancelled: cancelled.promise };
}

test('a client that leaves before the answer ends its request, and is no error', async () => {
  const { body, cancelled } = endlessBody();
  const asked = Promise.withResolvers<Request>();
  const { call, errors } = await startRoute(async (request) => {
    asked.resolve(request);
    await once(request.signal, 'abort');
    return new Response(body);
  });
  const sent = call();
  const { signal } = await asked.promise;
  expect(signal.aborted).toBe(false);
  sent.destroy();
  await cancelled;
  expect(signal.aborted).toBe(true);
  expect(errors()).toEqual([]);
});

test('a client that leaves within the answer is no error', async () => {
  const { body, cancelled } = endlessBody();
  const { call, errors } = await startRoute(() => Promise.resolve(new Response(body)));
  const sent = call();
  await once(sent, 'response');
  sent.destroy();
  await cancelled;
  // What the route does with a failed answer, it does in the same turn.
  await new Promise((resolve) => setImmediate(resolve));
  expect(errors()).toEqual([]);
});

test('an answer that breaks off by itself is an error', async () => {
  const failing = new ReadableStream({ pull: (controller) => controller.error(new Error('broken')) });
  const { call, errors } = await startRoute(() => Promise.resolve(new Response(failing)));
  const closed = Promise.withResolvers<void>();
  call().on('close', () => closed.resolve());
  await closed.promise;
  await expect.poll(errors).toMatchObject([{ msg: 'Answering a request failed' }]);
});
