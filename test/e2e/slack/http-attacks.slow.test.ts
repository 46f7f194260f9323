import { createHmac } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/core/base/time/clock.ts';
import { startPlatform, type SimulatedPlatform } from '../../../src/sandbox/platform/platform.ts';
import { readInstalledApp } from '../../../src/sandbox/demo/installed-app.ts';
import { startSlack, type SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import { startBotProcess, type BotProcess } from '../../support/processes/bot-processes.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/databases.ts';
import { environmentOf } from '../../support/test-app.ts';
import { shareOf } from '../../support/property-runs.ts';

let slack: SandboxSlack;
let platform: SimulatedPlatform;
let database: TestDatabase;
let bot: BotProcess;
let port: number;
beforeAll(async () => {
  slack = await startSlack({ clock: systemClock, transport: 'http' });
  await slack.control.configure(readInstalledApp());
  platform = await startPlatform({ clock: systemClock, people: 5 });
  database = await createDatabase('sqlite');
  bot = await startBotProcess({ ...environmentOf(slack, platform, 'http'), DATABASE_URL: database.url }, new Date());
  await bot.untilLogged('Quartermaster is running');
  port = Number(/"port":(\d+)/.exec(bot.logged())?.[1]);
});
afterAll(async () => {
  await bot.stop();
  await slack.close();
  await platform.close();
  await database.drop();
});

/** The whole answer on one connection; empty if it was only closed. */
function exchange(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', () => resolve(answer));
    socket.on('close', () => resolve(answer));
    socket.end(bytes);
  });
}

function signatureHeaders(body: string, timestampSeconds = Math.floor(Date.now() / 1000)): string[] {
  const digest = createHmac('sha256', slack.signingSecret).update(`v0:${timestampSeconds}:${body}`).digest('hex');
  return [`x-slack-request-timestamp: ${timestampSeconds}`, `x-slack-signature: v0=${digest}`];
}

function requestOf(method: string, path: string, type: string, body: string, headers: readonly string[]): string {
  const length = Buffer.byteLength(body);
  const lines = [`${method} ${path} HTTP/1.1`, 'host: x', 'connection: close', `content-type: ${type}`];
  return [...lines, `content-length: ${length}`, ...headers, '', body].join('\r\n');
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

/** The time until the process answers that it is alive. */
async function aliveAfterMs(): Promise<number> {
  const startedMs = performance.now();
  const answer = await exchange('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  expect(answer).toContain('alive');
  return performance.now() - startedMs;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'M-SEARCH'];
const PATHS = [
  '/slack/events',
  '/',
  '/slack/events?x=1',
  '/slack/events/',
  '/healthz',
  '/readyz',
  '/metrics',
  '//',
  '*',
];
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const BODIES: readonly (readonly [type: string, body: string])[] = [
  ...[
    '',
    'null',
    '0',
    '1e999',
    '-1',
    'true',
    '""',
    '[]',
    '[null]',
    '{}',
    '{',
    '}',
    '\u0000',
    'NaN',
    '{"type":null}',
  ].map((body) => [JSON_TYPE, body] as const),
  [JSON_TYPE, deep(200_000)],
  [JSON_TYPE, `{"type":"x","event":${deep(200_000)}}`],
  [JSON_TYPE, '{"__proto__":{"type":"x"},"type":"event_callback"}'],
  [JSON_TYPE, '{"type":"event_callback","event":null}'],
  [JSON_TYPE, '{"type":"block_actions","actions":[],"user":null}'],
  [JSON_TYPE, '{"type":"view_submission","view":{"state":{"values":[null]}}}'],
  [JSON_TYPE, '{"type":"url_verification","challenge":{"a":1}}'],
  [JSON_TYPE, JSON.stringify({ type: 'x', text: 'a'.repeat(900_000) })],
  ...[
    '',
    'payload=null',
    'payload=%5B%5D',
    'payload=1',
    'payload=%7B',
    'payload=%7B%7D&payload=%7B%7D',
    'command=%2Fusage',
  ].map((body) => [FORM_TYPE, body] as const),
  [FORM_TYPE, `payload=${deep(200_000)}`],
  [FORM_TYPE, 'ssl_check=1&command=%2Fusage'],
  [FORM_TYPE, `${'a=1&'.repeat(100_000)}command=/usage`],
  ['text/plain', 'hello'],
  ['', '{}'],
];

/** Far below Slack's limit, and far above the time of a busy machine. */
const STILL_ALIVE_MS = 2_500;

describe('a request from an unknown sender', () => {
  test('of any method, to any path, with any body, signed or not, delays no other request', async () => {
    expect(BODIES.length).toBeGreaterThan(30);
    const aliveMs: number[] = [];
    for (const method of METHODS) {
      for (const path of shareOf(PATHS)) {
        const requests = BODIES.flatMap(([type, body]) => [
          requestOf(method, path, type, body, []),
          requestOf(method, path, type, body, signatureHeaders(body)),
        ]);
        // Large ones only if their body is read: the others are refused by their path.
        const small = path.startsWith('/slack/events') ? requests : requests.filter((one) => one.length < 1_000);
        await Promise.all(small.map((one) => exchange(one)));
      }
      aliveMs.push(await aliveAfterMs());
    }
    expect(Math.max(...aliveMs)).toBeLessThan(STILL_ALIVE_MS);
    expect(bot.process.exitCode).toBeNull();
  }, 120_000);

  test('is refused by status: 404 for a path, 405 for a method, 401 without a signature, 400 for a signed body of an unknown kind', async () => {
    const body = 'null';
    const ask = async (method: string, path: string, type: string, headers: readonly string[], text = body) =>
      statusOf(await exchange(requestOf(method, path, type, text, headers)));
    const signed = signatureHeaders(body);
    expect(await ask('GET', '/nowhere', JSON_TYPE, signed)).toBe(404);
    expect(await ask('GET', '/metrics', JSON_TYPE, signed)).toBe(404);
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
      expect(await ask(method, '/slack/events', JSON_TYPE, signed)).toBe(405);
    expect(await ask('POST', '/slack/events', JSON_TYPE, [])).toBe(401);
    expect(await ask('POST', '/slack/events', JSON_TYPE, signatureHeaders('other'))).toBe(401);
    const old = Math.floor(Date.now() / 1000) - 400;
    expect(await ask('POST', '/slack/events', JSON_TYPE, signatureHeaders(body, old))).toBe(401);
    const [timestamp = ''] = signed;
    expect(await ask('POST', '/slack/events', JSON_TYPE, [timestamp, 'x-slack-signature: v0=abc'])).toBe(401);
    expect(await ask('POST', '/slack/events', 'text/plain', signed)).toBe(415);
    for (const text of ['null', '3', '[]', '"x"', '{}', '{"type":1}', deep(200_000)]) {
      const startedMs = performance.now();
      expect(await ask('POST', '/slack/events', JSON_TYPE, signatureHeaders(text), text)).toBe(400);
      expect(performance.now() - startedMs).toBeLessThan(1_000);
    }
  });

  test('that announces more than a megabyte is refused before it is read', async () => {
    const [timestamp, signature] = signatureHeaders('');
    const head = ['POST /slack/events HTTP/1.1', 'host: x', `content-type: ${JSON_TYPE}`, 'content-length: 1048577'];
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('data', (chunk) => resolve(chunk.toString()));
      socket.write([...head, timestamp, signature, '', ''].join('\r\n'));
    });
    expect(statusOf(answer)).toBe(413);
  });

  test('never gets a header of its own into the log', async () => {
    const headers = [
      'cookie: session=cookie-of-a-visitor',
      'authorization: Bearer visitor',
      'x-slack-retry-num: oddity',
    ];
    await exchange(requestOf('GET', '/slack/events', JSON_TYPE, 'null', headers));
    await exchange(requestOf('POST', '/slack/events', JSON_TYPE, 'null', [...headers, ...signatureHeaders('null')]));
    await aliveAfterMs();
    expect(bot.logged()).not.toMatch(/cookie-of-a-visitor|Bearer visitor|oddity/);
  });

  test('cannot fill the memory: 500 connections hold half a body each', async () => {
    const { memoryMb: idleMb } = await bot.measure();
    const half = 'a'.repeat(512 * 1024);
    const [timestamp, signature] = signatureHeaders('never the right one');
    const head = ['POST /slack/events HTTP/1.1', 'host: x', `content-type: ${JSON_TYPE}`, 'content-length: 1048576'];
    const sockets: Socket[] = [];
    const aliveMs: number[] = [];
    for (let index = 0; index < 500; index += 1) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write([...head, timestamp, signature, '', half].join('\r\n'));
      sockets.push(socket);
      if (index % 50 === 49) aliveMs.push(await aliveAfterMs());
    }
    aliveMs.push(await aliveAfterMs());
    const { peakMemoryMb, worstStallMs } = await bot.measure();
    for (const socket of sockets) socket.destroy();
    expect(Math.max(...aliveMs)).toBeLessThan(STILL_ALIVE_MS);
    expect(worstStallMs).toBeLessThan(250);
    expect(peakMemoryMb - idleMb).toBeLessThan(150);
  }, 120_000);
});
