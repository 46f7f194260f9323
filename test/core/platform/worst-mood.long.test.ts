import { describe, expect, onTestFinished, test } from 'vitest';
import type { PlatformClient } from '../../../src/core/platform/client.ts';
import { PlatformError } from '../../../src/core/platform/errors.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { startPlatform } from '../../../src/sandbox/platform/platform.ts';
import { collect, collectPages, createTestClient, NOW, PERIOD } from './test-client.ts';

type Call = (client: PlatformClient, sessionId: string) => Promise<unknown>;

/** The types see to it that each method of the client is here, or named as one that another one calls or that writes. */
const CALLS = Object.entries({
  tokens: async (client) => (await client.analytics.tokens(PERIOD)).data,
  tokensByModel: async (client) => (await client.analytics.tokensByModel(PERIOD)).data,
  tools: async (client) => (await client.analytics.tools(PERIOD)).data,
  toolsByName: async (client) => (await client.analytics.toolsByName(PERIOD)).data,
  activity: async (client) => (await client.analytics.activity(PERIOD)).data,
  activityByClient: async (client) => (await client.analytics.activityByClient(PERIOD)).data,
  productivity: async (client) => (await client.analytics.productivity(PERIOD)).data,
  userPages: async (client) => collectPages(client.analytics.userPages(PERIOD)),
  eachReport: async (client) => collect(client.readiness.eachReport({ limit: 5 })),
  eachChange: async (client) => collect(client.controls.eachChange({ limit: 3 })),
  eachMessage: async (client, sessionId) => collect(client.sessions.eachMessage(sessionId, { limit: 10 })),
  list: async (client) => client.computers.list(),
  setUserLimits: async (client) => client.limits.setUserLimits([{ email: 'mia.member@acme.example', limit: 7 }]),
} satisfies Record<Exclude<Method, PageOf | Repeated>, Call>);

/** One page of what is read whole. */
type PageOf = 'users' | 'reports' | 'history' | 'messages' | 'get';
/** A second one would create a second computer; the last asks for nothing. */
type Repeated = 'create' | 'installDeps' | 'redactStored';
type MethodsOf<Area> = Area extends keyof PlatformClient ? keyof PlatformClient[Area] : never;
type Method = MethodsOf<Exclude<keyof PlatformClient, 'close'>>;

/** Pages may come in any order: their contents are compared. */
const inOneOrder = (value: unknown) =>
  Array.isArray(value) ? value.map((each) => JSON.stringify(each)).toSorted() : JSON.stringify(value);

describe('a platform in its worst mood', () => {
  test.each([1, 2, 3, 4])('gives right figures or a clear error, never anything else (seed %i)', async (seed) => {
    const clock = createMovableClock(NOW, { frozen: true });
    const platform = await startPlatform({ clock, seed, people: 150 });
    onTestFinished(() => platform.close());
    const client = createTestClient(platform.baseUrl, { apiKey: platform.apiKeys.manager });
    const sessionId = platform.sessionIds[0] ?? '';
    const right = new Map<string, unknown>();
    for (const [name, call] of CALLS) right.set(name, inOneOrder(await call(client, sessionId)));

    platform.faults.addWorstMood();
    let answered = 0;
    const failures: string[] = [];
    for (const [name, call] of [...CALLS, ...CALLS, ...CALLS]) {
      try {
        expect({ name, figures: inOneOrder(await call(client, sessionId)) }).toEqual({
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
    expect(answered).toBeGreaterThan(CALLS.length);
  });
});
