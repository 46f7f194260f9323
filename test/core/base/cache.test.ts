import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createCache } from '../../../src/core/base/cache.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';

const MINUTE_MS = 60_000;
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('a cache lets go of what expired, even if nobody asks for it again', async () => {
  const clock = createMovableClock(new Date('2026-03-02T07:00:00Z'), { frozen: true });
  const registry = new FinalizationRegistry<number>((key) => collected.add(key));
  const collected = new Set<number>();
  const cache = createCache(clock, MINUTE_MS, (key: number) => {
    const value = { key };
    registry.register(value, key);
    return Promise.resolve(value);
  });
  for (let key = 0; key < 20; key += 1) {
    await cache.get(key);
    clock.moveTo(new Date(clock.now().getTime() + MINUTE_MS));
  }
  await expect
    .poll(() => {
      collectGarbage();
      return collected.size;
    })
    .toBeGreaterThanOrEqual(18);
  clock.dispose();
});

test('a cache keeps what has not expired', async () => {
  const clock = createMovableClock(new Date('2026-03-02T07:00:00Z'), { frozen: true });
  let loads = 0;
  const cache = createCache(clock, MINUTE_MS, (key: string) => Promise.resolve(`${key} ${(loads += 1)}`));
  expect(await cache.get('a')).toBe('a 1');
  clock.moveTo(new Date(clock.now().getTime() + MINUTE_MS / 2));
  expect(await cache.get('b')).toBe('b 2');
  expect(await cache.get('a')).toBe('a 1');
  clock.moveTo(new Date(clock.now().getTime() + MINUTE_MS / 2));
  expect(await cache.get('a')).toBe('a 3');
  expect(await cache.get('b')).toBe('b 2');
  clock.dispose();
});
