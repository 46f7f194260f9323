import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AttemptEvent } from '../../../src/core/platform/transport/request.ts';
import { type ScriptedAnswer, startScript } from './script-server.ts';
import { createTestClient, failureOf, PERIOD, TEST_KEY } from './test-client.ts';

/** Every form in which a log could print a value. */
function everythingSeen(value: unknown): string {
  const parts = [inspect(value, { depth: Infinity, showHidden: true, getters: true }), JSON.stringify(value) ?? ''];
  if (value instanceof Error) parts.push(value.message, value.stack ?? '', String(value), inspect(value.cause));
  return parts.join('\n');
}

/** The visible forms of the key. */
function leaks(key: string, ...values: unknown[]): string[] {
  const seen = values.map(everythingSeen).join('\n');
  const forms = [key, encodeURIComponent(key), Buffer.from(key).toString('base64').replace(/=+$/, '')];
  return forms.filter((form) => seen.includes(form));
}

const echo = (key: string): [string, ScriptedAnswer][] => [
  [
    'in the problem body',
    { status: 401, json: { title: `No ${key}`, detail: `Bearer ${key} is wrong`, requestId: key } },
  ],
  ['in plain text', { status: 403, text: `denied: ${'x'.repeat(480)} ${key}` }],
  ['in a request id header', { status: 404, headers: { 'x-request-id': key } }],
  ['in a page', { status: 200, text: `<html>${key}</html>` }],
  ['in the name of a member', { status: 200, json: { data: [{ [key]: key }], meta: {} } }],
  ['percent-encoded', { status: 400, text: `?token=${encodeURIComponent(key)}` }],
  ['in Base64', { status: 400, text: Buffer.from(key).toString('base64') }],
  ['in a body that breaks off', { status: 200, text: `{"data": "${key}` }],
];

describe('the API key', () => {
  test.each(echo(TEST_KEY))(
    'appears in no error, event or client, though the platform echoes it %s',
    async (_, answer) => {
      const { address } = await startScript(Array<ScriptedAnswer>(5).fill(answer).slice(0, answerCount(answer)));
      const client = createTestClient(address);
      const failure = await failureOf(client.analytics.tokens(PERIOD));
      expect(leaks(TEST_KEY, failure, client, client.events)).toEqual([]);
    },
  );

  test('appears in no error or event, whatever it looks like', async () => {
    const visible = fc.stringMatching(/^[\x21-\x7e]{12,40}$/);
    await fc.assert(
      fc.asyncProperty(visible, fc.nat(7), async (apiKey, index) => {
        const [, answer] = echo(apiKey)[index] ?? ['', {}];
        const { address } = await startScript(Array<ScriptedAnswer>(answerCount(answer)).fill(answer));
        const events: AttemptEvent[] = [];
        const client = createTestClient(address, { apiKey, observe: (event) => void events.push(event) });
        const failure = await failureOf(client.analytics.tokens(PERIOD));
        expect(leaks(apiKey, failure, events, client)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test('appears in no error of the network', async () => {
    const client = createTestClient('http://127.0.0.1:1');
    const failure = await failureOf(client.computers.create({ name: 'n', remoteUser: 'a' }));
    expect(leaks(TEST_KEY, failure, client)).toEqual([]);
  });

  test('is not quoted if it is refused', async () => {
    const refused = Promise.resolve().then(() =>
      createTestClient('http://127.0.0.1:1', { apiKey: 'half a\nkey-1234' }),
    );
    expect(leaks('key-1234', await failureOf(refused))).toEqual([]);
  });
});

/** A body that breaks off causes five attempts. */
function answerCount(answer: ScriptedAnswer): number {
  return typeof answer === 'object' && answer.text?.startsWith('{"data": "') ? 5 : 1;
}
