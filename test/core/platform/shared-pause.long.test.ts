import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/core/base/time/clock.ts';
import { createPlatformClient } from '../../../src/core/platform/client.ts';
import { startPlatform } from '../../../src/sandbox/platform/platform.ts';

const WINDOW_MS = 5_000;

test.each([0, 1])(
  'twelve calls at once are sent at most three times in the five seconds after a 429 (%d)',
  async (retryAfter) => {
    const platform = await startPlatform({ clock: systemClock, people: 3 });
    const sentMs: number[] = [];
    const client = createPlatformClient({
      ...platform,
      apiKey: platform.apiKeys.manager,
      clock: systemClock,
      random: () => 0,
      observe: () => void sentMs.push(performance.now()),
    });
    onTestFinished(async () => {
      await client.close();
      await platform.close();
    });
    platform.faults.add({ kind: 'rate_limit', retryAfter });
    const over = AbortSignal.timeout(WINDOW_MS + 500);
    const calls = Array.from({ length: 12 }, () => client.readiness.reports({}, { signal: over }));
    await Promise.allSettled(calls);
    // The first four were sent before any answer.
    const [first = 0] = sentMs;
    const afterwards = sentMs.slice(4).filter((at) => at - first <= WINDOW_MS);
    expect(afterwards.length).toBeLessThanOrEqual(3);
    expect(afterwards.length).toBeGreaterThan(0);
  },
  30_000,
);

test('calls that waited during a pause are sent as soon as the platform answers again', async () => {
  const platform = await startPlatform({ clock: systemClock, people: 3 });
  const client = createPlatformClient({
    ...platform,
    apiKey: platform.apiKeys.manager,
    clock: systemClock,
    random: () => 0,
  });
  onTestFinished(async () => {
    await client.close();
    await platform.close();
  });
  platform.faults.add({ kind: 'rate_limit', retryAfter: 0, times: 1 });
  const calls = Array.from({ length: 12 }, () => client.readiness.reports({}));
  expect((await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected')).toEqual([]);
}, 30_000);
