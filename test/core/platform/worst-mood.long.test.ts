import { describe, expect, onTestFinished, test } from 'vitest';
import { PlatformError } from '../../../src/core/platform/errors.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { startPlatform } from '../../../src/sandbox/platform/platform.ts';
import { callsOf } from '../../support/platform/operations.ts';
import { createTestClient, NOW, PERIOD } from './test-client.ts';

/** One page of what is read whole, what creates something (a second one would create a second computer), and what the contract lacks. */
const LEFT_OUT = new Set(['users', 'reports', 'history', 'messages', 'get', 'create', 'installDeps', 'read']);

/** Pages may come in any order: their contents are compared. */
const inOneOrder = (value: unknown) =>
  Array.isArray(value) ? value.map((each) => JSON.stringify(each)).toSorted() : JSON.stringify(value);

describe('a platform in its worst mood', () => {
  test.each([1, 2, 3, 4])('gives right figures or a clear error, never anything else (seed %i)', async (seed) => {
    const clock = createMovableClock(NOW, { frozen: true });
    const platform = await startPlatform({ clock, seed, people: 150 });
    onTestFinished(() => platform.close());
    const client = createTestClient(platform.baseUrl, { apiKey: platform.apiKeys.manager });
    const session = platform.sessionIds[0] ?? '';
    const asked = { period: PERIOD, page: { limit: 10 }, report: { limit: 5 }, session, messages: {} };
    const calls = Object.values(callsOf(client, asked))
      .flatMap((area): [string, () => Promise<unknown>][] => Object.entries(area))
      .filter(([name]) => !LEFT_OUT.has(name));
    const right = new Map<string, unknown>();
    for (const [name, call] of calls) right.set(name, inOneOrder(await call()));

    platform.faults.addWorstMood();
    let answered = 0;
    const failures: string[] = [];
    for (const [name, call] of [...calls, ...calls, ...calls]) {
      try {
        expect({ name, figures: inOneOrder(await call()) }).toEqual({
          name,
          figures: right.get(name),
        });
        answered += 1;
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        failures.push(error.code);
      }
    }
    const clear = [
      'html',
      'not_json',
      'empty_body',
      'wrong_shape',
      'pagination_loop',
      'server_error',
      'rate_limited',
      'network',
    ];
    for (const code of failures) expect([...clear, 'cut_body']).toContain(code);
    expect(answered).toBeGreaterThan(calls.length);
  });
});
