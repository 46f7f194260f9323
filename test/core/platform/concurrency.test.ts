import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { firstPace, nextPace } from '../../../src/core/platform/transport/sender.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { startPlatform } from '../../../src/sandbox/platform/platform.ts';
import { startScript } from './script-server.ts';
import { createTestClient, EMPTY_ENVELOPE, failureOf, NOW, PERIOD } from './test-client.ts';

describe('many calls at once', () => {
  test.each([1, 3, 8, 12])('run up to %i at a time while the platform answers steadily', async (concurrency) => {
    const platform = await startPlatform({ clock: createMovableClock(NOW, { frozen: true }), people: 5 });
    onTestFinished(() => platform.close());
    platform.faults.add({ kind: 'slow', delayMs: 30 });
    const client = createTestClient(platform.baseUrl, { apiKey: platform.apiKeys.manager, concurrency });
    await Promise.all(Array.from({ length: 40 }, () => client.computers.list()));
    expect(platform.mostInFlight()).toBe(concurrency);
  });

  test('are fewer after a burst of 429, which halves their number once, and then grow one by one', () => {
    let pace = firstPace(12);
    for (let answer = 0; answer < 20; answer += 1) pace = nextPace(pace, 'steady', 0, 12);
    expect(pace).toEqual({ atOnce: 12, halvings: 0 });
    for (let answer = 0; answer < 12; answer += 1) pace = nextPace(pace, 'limited', 0, 12);
    expect(pace).toEqual({ atOnce: 6, halvings: 1 });
    // Answers to requests from before the burst say nothing about the new pace.
    for (let answer = 0; answer < 6; answer += 1) pace = nextPace(pace, 'steady', 0, 12);
    expect(pace.atOnce).toBe(6);
    for (let answer = 0; answer < 6; answer += 1) pace = nextPace(pace, 'steady', 1, 12);
    expect(Math.floor(pace.atOnce)).toBe(7);
    expect(nextPace(pace, 'other', 1, 12)).toBe(pace);
  });

  test('stay between one and the most, whatever the platform answers', () => {
    const outcome = fc.constantFrom('steady' as const, 'limited' as const, 'other' as const);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.array(fc.tuple(outcome, fc.nat({ max: 3 }))), (most, answers) => {
        let pace = firstPace(most);
        for (const [one, age] of answers) {
          const before = pace.atOnce;
          pace = nextPace(pace, one, pace.halvings - age, most);
          expect(pace.atOnce).toBeGreaterThanOrEqual(1);
          expect(pace.atOnce).toBeLessThanOrEqual(most);
          const isHalved = one !== 'limited' || age > 0 || pace.atOnce <= Math.max(1, before / 2);
          const isKept = one === 'steady' || age === 0 || pace.atOnce === before;
          expect({ isHalved, isKept }).toEqual({ isHalved: true, isKept: true });
        }
      }),
    );
  });

  test('are few at a time after the platform refused one', async () => {
    const platform = await startPlatform({ clock: createMovableClock(NOW), people: 5 });
    onTestFinished(() => platform.close());
    platform.faults.add({ kind: 'rate_limit', retryAfter: 0, times: 1 });
    platform.faults.add({ kind: 'slow', delayMs: 30 });
    const client = createTestClient(platform.baseUrl, { apiKey: platform.apiKeys.manager, concurrency: 12 });
    await client.computers.list();
    await Promise.all(Array.from({ length: 6 }, () => client.computers.list()));
    expect(platform.mostInFlight()).toBeLessThanOrEqual(3);
  });

  test('are not late because of their wait for a turn', async () => {
    const platform = await startPlatform({ clock: createMovableClock(NOW, { frozen: true }), people: 5 });
    onTestFinished(() => platform.close());
    platform.faults.add({ kind: 'slow', delayMs: 30 });
    // Together they take longer than one may, even if the machine pauses for half a second.
    const settings = { apiKey: platform.apiKeys.manager, concurrency: 1, deadlineMs: 600 };
    const client = createTestClient(platform.baseUrl, settings);
    const lists = await Promise.all(Array.from({ length: 24 }, () => client.computers.list()));
    expect(lists).toHaveLength(24);
  });
});

describe('a caller who gives up', () => {
  test('before the call sends nothing', async () => {
    const client = createTestClient('http://127.0.0.1:1');
    const failure = await failureOf(client.analytics.tokens(PERIOD, { signal: AbortSignal.abort() }));
    expect(failure).toMatchObject({ code: 'cancelled', outcomeUnknown: false });
  });

  test('during a GET gets cancelled at once', async () => {
    const controller = new AbortController();
    const { address } = await startScript([() => controller.abort()]);
    const call = createTestClient(address).analytics.tokens(PERIOD, { signal: controller.signal });
    expect(await failureOf(call)).toMatchObject({ code: 'cancelled', outcomeUnknown: false });
  });

  test('during a POST gets an unknown outcome', async () => {
    const controller = new AbortController();
    const { address } = await startScript([() => controller.abort(new Error('the modal was closed'))]);
    const call = createTestClient(address).computers.installDeps('c1', { signal: controller.signal });
    expect(await failureOf(call)).toMatchObject({ code: 'cancelled', outcomeUnknown: true });
  });

  test('during the wait for a turn gets cancelled at once', async () => {
    const holder = new AbortController();
    const waiter = new AbortController();
    const observed = new EventTarget();
    const arrived = once(observed, 'arrived');
    const { address } = await startScript([() => void observed.dispatchEvent(new Event('arrived'))]);
    const client = createTestClient(address, { concurrency: 1 });
    const held = failureOf(client.computers.list({ signal: holder.signal }));
    const waiting = failureOf(client.computers.create({ name: 'n', remoteUser: 'a' }, { signal: waiter.signal }));
    await arrived;
    waiter.abort();
    expect(await waiting).toMatchObject({ code: 'cancelled', outcomeUnknown: false });
    holder.abort();
    expect(await held).toMatchObject({ code: 'cancelled' });
  });

  test('between two attempts gets cancelled, not the answer of the first', async () => {
    const clock = createMovableClock(NOW, { frozen: true });
    const controller = new AbortController();
    const observed = new EventTarget();
    const { address } = await startScript([{ status: 503, headers: { 'retry-after': '5' } }]);
    const client = createTestClient(address, {
      clock,
      observe: () => void observed.dispatchEvent(new Event('attempt')),
    });
    const attempted = once(observed, 'attempt');
    const call = failureOf(client.analytics.tokens(PERIOD, { signal: controller.signal }));
    await attempted;
    controller.abort();
    expect(await call).toMatchObject({ code: 'cancelled' });
  });
});

describe('a wait', () => {
  test('uses the clock that was passed in', async () => {
    const clock = createMovableClock(NOW, { frozen: true });
    const observed = new EventTarget();
    const { address } = await startScript([
      { status: 429, headers: { 'retry-after': '20' } },
      { json: EMPTY_ENVELOPE },
    ]);
    const client = createTestClient(address, {
      clock,
      observe: () => void observed.dispatchEvent(new Event('attempt')),
    });
    const attempted = once(observed, 'attempt');
    const call = client.analytics.tokens(PERIOD);
    await attempted;
    // The observer is notified before the wait begins: let its follow-up run.
    await new Promise(setImmediate);
    clock.moveTo(new Date(NOW.getTime() + 20_000));
    await expect(call).resolves.toEqual(EMPTY_ENVELOPE);
  });
});
