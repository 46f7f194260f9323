import { describe, expect, test } from 'vitest';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { HANG_UP, SILENCE, type ScriptedAnswer, startScript } from './script-server.ts';
import { A_COMPUTER, createTestClient, EMPTY_ENVELOPE, failureOf, NOW, PERIOD } from './test-client.ts';

const OK: ScriptedAnswer = { json: EMPTY_ENVELOPE };
const CUT: ScriptedAnswer = (response) => {
  response.writeHead(200, { 'content-length': 500 });
  response.write('{"data": [', () => response.destroy());
};
const LIMITS = [{ email: 'mia.member@acme.example', limit: 100 }];

async function askAfter(...answers: ScriptedAnswer[]) {
  const { address, requests } = await startScript(answers);
  const client = createTestClient(address);
  return { client, requests, call: client.analytics.tokens(PERIOD) };
}

describe('a GET', () => {
  test('is repeated after 429 and succeeds, exactly at the time of Retry-After', async () => {
    const { client, call } = await askAfter({ status: 429, headers: { 'retry-after': '7' } }, OK);
    await expect(call).resolves.toEqual(EMPTY_ENVELOPE);
    expect(client.waits).toEqual([7_000]);
  });

  test('is repeated at the date of Retry-After', async () => {
    const date = new Date(NOW.getTime() + 9_000).toUTCString();
    const { client, call } = await askAfter({ status: 429, headers: { 'retry-after': date } }, OK);
    await call;
    expect(client.waits).toEqual([9_000]);
  });

  test.each(['0', '1', '-3', 'tomorrow', '2026-11-21'])(
    'backs off by itself if Retry-After is "%s"',
    async (header) => {
      const { client, call } = await askAfter({ status: 429, headers: { 'retry-after': header } }, OK);
      await call;
      expect(client.waits).toEqual([1_500]);
    },
  );

  test.each([500, 502, 503, 504])('is repeated after %i', async (status) => {
    const { call } = await askAfter({ status }, OK);
    await expect(call).resolves.toEqual(EMPTY_ENVELOPE);
  });

  test('honours the Retry-After of a 503', async () => {
    const { client, call } = await askAfter({ status: 503, headers: { 'retry-after': '4' } }, OK);
    await call;
    expect(client.waits).toEqual([4_000]);
  });

  test('is repeated after a broken connection', async () => {
    const { call } = await askAfter(HANG_UP, OK);
    await expect(call).resolves.toEqual(EMPTY_ENVELOPE);
  });

  test('is repeated after a body that broke off', async () => {
    const { call } = await askAfter(CUT, { text: '{"data": [{' }, OK);
    await expect(call).resolves.toEqual(EMPTY_ENVELOPE);
  });

  test('is repeated after an attempt that took too long', async () => {
    const { address } = await startScript([SILENCE, OK]);
    const client = createTestClient(address, { requestTimeoutMs: 500 });
    await expect(client.analytics.tokens(PERIOD)).resolves.toEqual(EMPTY_ENVELOPE);
    expect(client.events.map(({ code }) => code)).toEqual(['timeout', undefined]);
  });

  test('fails at once with rate_limited if the requested wait would pass its deadline', async () => {
    const { client, call } = await askAfter({ status: 429, headers: { 'retry-after': '31' } });
    expect(await failureOf(call)).toMatchObject({ code: 'rate_limited', status: 429, askedMs: 31_000 });
    expect(client.waits).toEqual([]);
  });

  test('counts earlier waits against its deadline', async () => {
    const wait20: ScriptedAnswer = { status: 503, headers: { 'retry-after': '20' } };
    const { client, call } = await askAfter(wait20, wait20);
    expect(await failureOf(call)).toMatchObject({ code: 'server_error', askedMs: 20_000 });
    expect(client.waits).toEqual([20_000]);
  });

  test('fails with the last answer after five attempts', async () => {
    const { client, call } = await askAfter(
      { status: 500 },
      { status: 500 },
      { status: 500 },
      { status: 500 },
      { status: 502 },
    );
    expect(await failureOf(call)).toMatchObject({ code: 'server_error', status: 502, outcomeUnknown: false });
    expect(client.waits).toEqual([188, 375, 750, 1_500]);
  });

  test.each([400, 401, 403, 404, 409, 422, 302])('is not repeated after %i', async (status) => {
    const { call } = await askAfter({ status });
    expect((await failureOf(call)).status).toBe(status);
  });

  test('ends in real time although its clock is stopped', async () => {
    const { address } = await startScript([{ status: 503 }]);
    const clock = createMovableClock(NOW, { frozen: true });
    const client = createTestClient(address, { clock, deadlineMs: 300 });
    expect(await failureOf(client.analytics.tokens(PERIOD))).toMatchObject({ code: 'server_error', status: 503 });
  });
});

describe('a PUT', () => {
  test('is repeated, since setting a value twice equals setting it once', async () => {
    const { address, requests } = await startScript([
      { status: 500 },
      HANG_UP,
      { json: { updated: LIMITS, errors: [] } },
    ]);
    const client = createTestClient(address);
    await expect(client.limits.setUserLimits(LIMITS)).resolves.toEqual({ updated: LIMITS, errors: [] });
    expect(new Set(requests.map(({ body }) => body))).toEqual(new Set([JSON.stringify({ users: LIMITS })]));
  });

  test('keeps its outcome unknown when a refusal follows an attempt that may have taken effect', async () => {
    const { address } = await startScript([HANG_UP, { status: 403 }]);
    const client = createTestClient(address);
    expect(await failureOf(client.limits.setUserLimits(LIMITS))).toMatchObject({
      code: 'forbidden',
      outcomeUnknown: true,
    });
  });

  test('has a known outcome when the platform refused it', async () => {
    const { address } = await startScript([{ status: 400 }]);
    const client = createTestClient(address);
    expect(await failureOf(client.limits.setUserLimits(LIMITS))).toMatchObject({ outcomeUnknown: false });
  });
});

describe('a POST', () => {
  const create = { name: 'build', remoteUser: 'agent' };
  const unreadable: [string, ScriptedAnswer, string][] = [
    ['500', { status: 500 }, 'server_error'],
    ['a broken connection', HANG_UP, 'network'],
    ['a success without a body', { status: 201 }, 'empty_body'],
    ['a page instead of JSON', { status: 201, text: '<html></html>' }, 'not_json'],
    ['a body that broke off', { status: 201, text: '{"id": "c' }, 'cut_body'],
    ['another shape', { status: 201, json: { id: 7 } }, 'wrong_shape'],
  ];

  test.each(unreadable)('is sent once, and its outcome is unknown, after %s', async (_, answer, code) => {
    const { address } = await startScript([answer]);
    const client = createTestClient(address);
    expect(await failureOf(client.computers.create(create))).toMatchObject({ code, outcomeUnknown: true });
  });

  test('is sent once, and its outcome is unknown, after a time-out', async () => {
    const { address } = await startScript([SILENCE]);
    const client = createTestClient(address, { requestTimeoutMs: 50 });
    expect(await failureOf(client.computers.create(create))).toMatchObject({ code: 'timeout', outcomeUnknown: true });
  });

  test('is sent once after 429, and had no effect', async () => {
    const { address } = await startScript([{ status: 429, headers: { 'retry-after': '1' } }]);
    const client = createTestClient(address);
    const failure = await failureOf(client.computers.installDeps('c1'));
    expect(failure).toMatchObject({ code: 'rate_limited', askedMs: 1_000, outcomeUnknown: false });
  });

  test('had no effect if no server listens', async () => {
    const client = createTestClient('http://127.0.0.1:1');
    expect(await failureOf(client.computers.create(create))).toMatchObject({ code: 'network', outcomeUnknown: false });
  });

  test('is answered with 201 or 202', async () => {
    const { address } = await startScript([
      { status: 201, json: A_COMPUTER },
      { status: 202, json: A_COMPUTER },
    ]);
    const client = createTestClient(address);
    await expect(client.computers.create(create)).resolves.toMatchObject(A_COMPUTER);
    await expect(client.computers.installDeps('c1')).resolves.toMatchObject(A_COMPUTER);
  });
});
