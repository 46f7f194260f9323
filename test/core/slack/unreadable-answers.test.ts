import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { withDeadline, type Deadline } from '../../../src/core/base/time/deadline.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { reportError } from '../../../src/core/slack/blocks/faults.ts';
import { createSlackClients } from '../../../src/core/slack/client/clients.ts';
import { readSlackFault } from '../../../src/core/slack/client/errors.ts';

const log = createLogger('silent', []);

/** Something at the address of Slack's Web API that gives one answer after the other, and then good ones. */
async function startWrongSlack(...answers: ((response: ServerResponse) => void)[]) {
  let calls = 0;
  const server = createServer((request, response) => {
    request.resume();
    const wrong = answers[calls];
    calls += 1;
    if (wrong) wrong(response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true,"user_id":"U0BOT"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server listens on a port');
  return {
    clients: createSlackClients('xoxb-0', `http://127.0.0.1:${address.port}/api/`, log),
    calls: () => calls,
  };
}

const HEADERS = { 'content-type': 'application/json' };
const isCut = (response: ServerResponse) => {
  response.writeHead(200, { ...HEADERS, 'content-length': '100' });
  response.write('{"ok":', () => response.destroy());
};
const isCutWithoutLength = (response: ServerResponse) => {
  response.writeHead(200, HEADERS);
  response.write('{"ok":true,"user_id":"U0', () => response.destroy());
};
const limitedBy = (header: Record<string, string>) => (response: ServerResponse) => {
  response.writeHead(429, header).end('{"ok":false,"error":"ratelimited"}');
};

test.each([
  ['a body of a known length', isCut],
  ['a body in chunks', isCutWithoutLength],
])('a reading is repeated if its answer is cut: %s', async (_, cut) => {
  const { clients, calls } = await startWrongSlack(cut);
  expect(await clients.lookups.auth.test()).toMatchObject({ user_id: 'U0BOT' });
  expect(calls()).toBe(2);
});

test.each([
  ['a body of a known length', isCut],
  ['a body in chunks', isCutWithoutLength],
])('a post whose answer is cut is not repeated, and may have been made: %s', async (_, cut) => {
  const { clients, calls } = await startWrongSlack(cut);
  const error: unknown = await clients.posting.chat.postMessage({ channel: 'C1', text: 'x' }).catch((one) => one);
  expect(readSlackFault(error)).toMatchObject({ kind: 'unknown' });
  expect(calls()).toBe(1);
  expect(reportError(error, log, {}).sentence).toMatch(/^Slack didn’t do this\./);
});

test('a post is written in the tick that finds its deadline not over, before anything else can run', async () => {
  const { clients } = await startWrongSlack();
  const order: string[] = [];
  const written = () => void order.push('written');
  subscribe('undici:request:bodySent', written);
  onTestFinished(() => void unsubscribe('undici:request:bodySent', written));
  const deadline: Deadline = {
    hasPassed: () => {
      order.push('looked');
      queueMicrotask(() => order.push('next'));
      return false;
    },
    remainingMs: () => 60_000,
  };
  await withDeadline(deadline, () => clients.posting.chat.postMessage({ channel: 'C1', text: 'x' }));
  expect(order).toEqual(['looked', 'next', 'looked', 'written', 'next']);
});

test('a compressed answer is read', async () => {
  const { clients } = await startWrongSlack((response) => {
    response.writeHead(200, { ...HEADERS, 'content-encoding': 'gzip' }).end(gzipSync('{"ok":true,"user_id":"U1"}'));
  });
  expect(await clients.lookups.auth.test()).toMatchObject({ user_id: 'U1' });
});

test.each<[string, Record<string, string>, number]>([
  ['without a wait', {}, 30_000],
  ['with words', { 'retry-after': 'soon' }, 30_000],
  ['with an empty wait', { 'retry-after': '' }, 30_000],
  ['with a date that has passed', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 30_000],
  ['with seconds', { 'retry-after': '7' }, 7_000],
])('a rate limit %s is one in its sentence too', async (_, header, askedMs) => {
  const { clients } = await startWrongSlack(limitedBy(header));
  const error: unknown = await clients.interactive.views.publish({ user_id: 'U1', view: HOME }).catch((one) => one);
  expect(readSlackFault(error)).toEqual({ kind: 'rate_limited', askedMs });
  expect(reportError(error, log, {}).sentence).toMatch(/^Slack is getting too many requests\. Try again in \d+ s\.$/);
});

test('a rate limit with a date lasts until then', async () => {
  const inAMinute = new Date(Date.now() + 60_000).toUTCString();
  const { clients } = await startWrongSlack(limitedBy({ 'retry-after': inAMinute }));
  const error: unknown = await clients.interactive.views.publish({ user_id: 'U1', view: HOME }).catch((one) => one);
  const fault = readSlackFault(error);
  if (fault.kind !== 'rate_limited') throw new Error(`No rate limit: ${JSON.stringify(fault)}`);
  expect(fault.askedMs).toBeGreaterThan(40_000);
  expect(fault.askedMs).toBeLessThanOrEqual(60_000);
});

const HOME = { type: 'home' as const, blocks: [] };
