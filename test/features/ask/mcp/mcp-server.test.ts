import { WebAPIHTTPError, WebAPIPlatformError } from '@slack/web-api';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../../src/core/base/settings/config.ts';
import { createLogger } from '../../../../src/core/base/log.ts';
import { PlatformError } from '../../../../src/core/platform/errors.ts';
import { createSlackClients } from '../../../../src/core/slack/client/clients.ts';
import { createPeople } from '../../../../src/core/slack/people/people.ts';
import { createChannels } from '../../../../src/core/slack/outbound/channels/channels.ts';
import { openStore } from '../../../../src/core/store/database.ts';
import { withAsk } from '../../../../src/features/ask/ask-tables.ts';
import { createMcpServer } from '../../../../src/features/ask/mcp/mcp-server.ts';
import { createMovableClock } from '../../../../src/sandbox/demo/movable-clock.ts';
import { startSlack } from '../../../../src/sandbox/slack/index.ts';
import { createDatabase } from '../../../support/stores/databases.ts';

const PAGE = '<html><head><title>Sign in to the proxy</title></head><body>user: <input name="user"></body></html>';
const SOMETHING = 'Something went wrong in Quartermaster. Try again; if that doesn’t help, ask the server operator.';

/** A server whose questions fail with an error. */
async function startServer(thrown: unknown) {
  const database = await createDatabase('sqlite');
  const store = await openStore(database.url);
  const lines: Record<string, unknown>[] = [];
  const settings = readConfig({
    SLACK_BOT_TOKEN: 'xoxb-0',
    SLACK_SIGNING_SECRET: 'secret',
    PLATFORM_BASE_URL: 'https://api.acme.example',
    PLATFORM_APP_URL: 'https://app.acme.example',
    PLATFORM_API_KEY: 'key',
    MCP: 'tokens',
    MCP_PORT: '4000',
    MCP_URL: 'https://tools.acme.example',
  });
  if (!settings.ok) throw new Error(JSON.stringify(settings.faults));
  const clock = createMovableClock(new Date('2026-03-02T08:00:00Z'), { frozen: true });
  const slack = await startSlack({ clock });
  const log = createLogger('debug', [], (line) => void lines.push(JSON.parse(line)));
  const { lookups } = createSlackClients(slack.botToken, slack.apiUrl, log);
  const roles = { admins: undefined, managers: [], peopleRole: 'manager' as const };
  const server = await createMcpServer({
    config: settings.config,
    clock,
    log,
    db: withAsk(store.db),
    people: createPeople({ lookups, clock, log, teamId: 'T0ACME', ...roles }),
    channels: createChannels({ lookups, clock, allowShared: false }),
    ask: () => Promise.reject(thrown),
    inWorkspaceNames: (body) => ({ ...body }),
    teamId: 'T1',
    signature: undefined,
  });
  onTestFinished(async () => {
    await server.close();
    await slack.close();
    clock.dispose();
    await store.close();
    await database.drop();
  });
  const call = async (body: object) => {
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    });
    const answer = await (await server.fetch(request, { kind: 'token', slackId: 'U0MIA', saidBlockKit: false })).text();
    const data = answer.split('\n').find((line) => line.startsWith('data:'));
    return JSON.parse(data === undefined ? answer : data.slice('data:'.length));
  };
  return { call, lines };
}

test.each<[string, unknown, string]>([
  ['of the database', Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 }), ''],
  ['of a proxy', new WebAPIHTTPError(407, 'Proxy Authentication Required', {}, PAGE), 'Slack didn’t do this.'],
  ['of Slack', new WebAPIPlatformError({ ok: false, error: 'internal_error' }), 'Slack didn’t do this.'],
  [
    'of the platform',
    new PlatformError({ code: 'not_json', method: 'GET', path: '/x', detail: PAGE }),
    'Quartermaster couldn’t read the platform’s answer.',
  ],
  ['of the program', new TypeError("Cannot read properties of undefined (reading 'kind')"), SOMETHING],
  ['of a page', new Error(PAGE), SOMETHING],
  ['that is no error', PAGE, SOMETHING],
])('a tool that throws an error %s answers in a sentence with the reference of the log', async (_, error, sentence) => {
  const { call, lines } = await startServer(error);
  const { result } = await call({ method: 'tools/call', params: { name: 'usage', arguments: {} } });
  expect(result.isError).toBe(true);
  const [{ text }] = result.content;
  expect(text).toContain(sentence);
  expect(text).not.toMatch(/locked|<html|An API error|Cannot read|internal_error/);
  const reference = /Reference: ([0-9a-f]{8})/.exec(text)?.[1];
  const logged = lines.filter((line) => line['reference'] === reference);
  expect(logged).toMatchObject([{ level: 50, tool: 'usage' }]);
});

test('no client is offered a stream of changes, because the tools never change', async () => {
  const { call } = await startServer(new Error('unused'));
  const { result } = await call({
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  });
  expect(result.capabilities).toEqual({ tools: { listChanged: false } });
});
