import { describe, expect, test } from 'vitest';
import { type ScriptedAnswer, startScript } from './script-server.ts';
import { createTestClient, EMPTY_ENVELOPE, failureOf, PERIOD, TEST_KEY } from './test-client.ts';

const ENDLESS: ScriptedAnswer = (response) => {
  const chunk = Buffer.alloc(1024 * 1024, 0x20);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.writeHead(200).on('drain', more);
  more();
};

const throwing = () => {
  throw new Error('the log is full');
};

async function answered(answer: ScriptedAnswer) {
  const { address, requests } = await startScript([answer]);
  const client = createTestClient(address);
  return { client, requests, call: client.analytics.tokens(PERIOD) };
}

describe('an answer', () => {
  test.each([
    [400, 'invalid_request'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [409, 'conflict'],
    [422, 'invalid_request'],
    [418, 'unexpected_status'],
    [302, 'unexpected_status'],
  ])('with status %i has the code %s', async (status, code) => {
    const { call } = await answered({ status, headers: { location: '/login' } });
    expect(await failureOf(call)).toMatchObject({ code, status, method: 'GET', path: '/api/v1/analytics/tokens' });
  });

  test('gives the request id and the texts of the documented error body', async () => {
    const body = { title: 'Bad Request', detail: 'limit is out of range', status: 400, requestId: 'req_42' };
    const { call } = await answered({ status: 400, json: body, headers: { 'x-request-id': 'other' } });
    const failure = await failureOf(call);
    expect(failure).toMatchObject({ requestId: 'req_42', detail: 'Bad Request: limit is out of range' });
    expect(failure.message).toBe('GET /api/v1/analytics/tokens failed: invalid_request, status 400, request req_42');
  });

  test('takes the request id from a header if the body has none', async () => {
    const { call } = await answered({ status: 404, text: 'gone', headers: { 'x-request-id': 'req_7' } });
    expect(await failureOf(call)).toMatchObject({ requestId: 'req_7', detail: 'gone' });
  });

  test('of HTML is not_json', async () => {
    const { call } = await answered({ text: '<!doctype html><title>Sign in</title>' });
    expect(await failureOf(call)).toMatchObject({ code: 'not_json', status: 200 });
  });

  test('without a body is empty_body', async () => {
    const { call } = await answered({ status: 200 });
    expect(await failureOf(call)).toMatchObject({ code: 'empty_body' });
  });

  test('of another shape names the place, not the value', async () => {
    const row = { date: '2026-11-12', billable_tokens: 'secret figure' };
    const { call } = await answered({ json: { ...EMPTY_ENVELOPE, data: [row] } });
    const failure = await failureOf(call);
    expect(failure.code).toBe('wrong_shape');
    expect(failure.detail).toContain('answer.data.0.billable_tokens');
    expect(JSON.stringify(failure)).not.toContain('secret figure');
  });

  test('keeps unknown members, and reads unknown values of enumerations', async () => {
    const computer = {
      id: 'c',
      name: 'n',
      providerType: 'quantum',
      createdAt: 1,
      status: 'dreaming',
      extra: { deep: true },
    };
    const list = { json: { computers: [computer] } };
    // The list is asked for its steps once, and the platform does not know the parameter.
    const { address } = await startScript([list, { status: 400, json: {} }, list]);
    const client = createTestClient(address);
    for (let reading = 0; reading < 2; reading += 1)
      expect(await client.computers.list()).toEqual([{ ...computer, provisioningSteps: [] }]);
  });

  test('may lack breakdowns, but not the figures', async () => {
    const row = {
      date: '2026-11-12',
      billable_tokens: 5,
      input_tokens: 1,
      output_tokens: 1,
      cache_read_tokens: 0,
      cache_write_tokens: 0,
    };
    const { call } = await answered({ json: { ...EMPTY_ENVELOPE, data: [row] } });
    expect((await call).data).toEqual([{ ...row, by_model: [], by_user: [] }]);
  });

  test('that never ends is an error, and does not fill the memory', async () => {
    const { call } = await answered(ENDLESS);
    expect(await failureOf(call)).toMatchObject({ code: 'wrong_shape', detail: expect.stringContaining('bytes') });
  });
});

describe('a request', () => {
  test('carries the key, and no other data than requested', async () => {
    const { call, requests } = await answered({ json: EMPTY_ENVELOPE });
    await call;
    expect(requests[0]).toMatchObject({
      method: 'GET',
      url: '/api/v1/analytics/tokens?startDate=2026-11-12&endDate=2026-11-18',
      headers: { authorization: `Bearer ${TEST_KEY}`, accept: 'application/json' },
      body: '',
    });
  });

  test('keeps the path of the base address', async () => {
    const { address, requests } = await startScript([{ json: EMPTY_ENVELOPE }]);
    await createTestClient(`${address}/gateway/`).analytics.activityByClient(PERIOD);
    expect(requests[0]?.url).toMatch(/^\/gateway\/api\/v1\/analytics\/activity\?.*group_by=client$/);
  });

  test('is reported to the observer attempt by attempt, without values', async () => {
    const { address } = await startScript([
      { status: 500, headers: { 'x-request-id': 'req_1' } },
      { json: { id: 'c9', name: 'n', providerType: 'byom', createdAt: 1 }, headers: { 'x-request-id': 'req_2' } },
    ]);
    const client = createTestClient(address);
    await client.computers.get('c9');
    const path = '/api/v0/computers/{computerId}';
    expect(client.events).toEqual([
      {
        method: 'GET',
        path,
        attempt: 1,
        durationMs: expect.any(Number),
        status: 500,
        code: 'server_error',
        requestId: 'req_1',
      },
      {
        method: 'GET',
        path,
        attempt: 2,
        durationMs: expect.any(Number),
        status: 200,
        code: undefined,
        requestId: 'req_2',
      },
    ]);
  });

  test('is not affected by an observer that throws', async () => {
    const { address } = await startScript([{ json: EMPTY_ENVELOPE }]);
    await expect(createTestClient(address, { observe: throwing }).analytics.tokens(PERIOD)).resolves.toEqual(
      EMPTY_ENVELOPE,
    );
  });
});
