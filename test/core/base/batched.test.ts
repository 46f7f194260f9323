import { describe, expect, test } from 'vitest';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { batched } from '../../../src/core/base/batched.ts';

const atOnce = { quietMs: 0, maxWaitMs: 0 };

describe('batched calls', () => {
  test('of one turn of the event loop are one batch, and each gets its own result', async () => {
    const batches: number[][] = [];
    const double = batched(
      (items: readonly number[]) => {
        batches.push([...items]);
        return Promise.resolve(items.map((item) => item * 2));
      },
      { ...atOnce, maxItems: 100 },
    );
    expect(await Promise.all([1, 2, 3].map((item) => double(item)))).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  test('that arrive during a batch form the next one, which respects the maximum size', async () => {
    const batches: number[][] = [];
    const first = Promise.withResolvers<void>();
    const isUnderWay = Promise.withResolvers<void>();
    const echo = batched(
      async (items: readonly number[]) => {
        batches.push([...items]);
        isUnderWay.resolve();
        if (batches.length === 1) await first.promise;
        return items;
      },
      { ...atOnce, maxItems: 2 },
    );
    const one = echo(1);
    await isUnderWay.promise;
    const rest = [2, 3, 4].map((item) => echo(item));
    first.resolve();
    expect(await Promise.all([one, ...rest])).toEqual([1, 2, 3, 4]);
    expect(batches).toEqual([[1], [2, 3], [4]]);
  });

  test.each([
    { quietMs: 10_000, mostBatches: 1 },
    // Less than a timer can measure. A busy machine may cause a pause or two.
    { quietMs: 0.9, mostBatches: 19 },
  ])(
    'of one burst share batches over many turns of the event loop, with $quietMs ms of quiet',
    async ({ quietMs, mostBatches }) => {
      const sizes: number[] = [];
      const echo = batched(
        (items: readonly number[]) => {
          sizes.push(items.length);
          return Promise.resolve(items);
        },
        { maxItems: 100, quietMs, maxWaitMs: 20_000 },
      );
      const calls: Promise<number>[] = [];
      for (let item = 0; item < 100; item += 1) {
        calls.push(echo(item));
        await nextTurn();
      }
      expect(await Promise.all(calls)).toHaveLength(100);
      expect(sizes.length).toBeLessThanOrEqual(mostBatches);
    },
  );

  test('begin in time although more calls keep arriving', async () => {
    const startMs = performance.now();
    const echo = batched((items: readonly number[]) => Promise.resolve(items), {
      maxItems: 1_000_000,
      quietMs: 10_000,
      maxWaitMs: 5,
    });
    const done: number[] = [];
    const note = (item: number) => done.push(item);
    const calls = [echo(0).then(note)];
    while (done.length === 0 && performance.now() - startMs < 8_000) {
      calls.push(echo(1).then(note));
      await nextTurn();
    }
    expect(done).not.toEqual([]);
    await Promise.all(calls);
  });

  test('wait no longer once they are hurried', async () => {
    const sizes: number[] = [];
    const hurrying = new AbortController();
    const echo = batched(
      (items: readonly number[]) => {
        sizes.push(items.length);
        return Promise.resolve(items);
      },
      { maxItems: 100, quietMs: 600_000, maxWaitMs: 600_000, flushNow: hurrying.signal },
    );
    const calls = [echo(1), echo(2)];
    await nextTurn();
    expect(sizes).toEqual([]);
    hurrying.abort();
    await Promise.all(calls);
    await echo(3);
    expect(sizes).toEqual([2, 1]);
  });

  test('get the error of their own batch only', async () => {
    const check = batched(
      (items: readonly number[]) => {
        if (items.includes(13)) throw new Error('The disk is full');
        return Promise.resolve(items);
      },
      { ...atOnce, maxItems: 1 },
    );
    const results = await Promise.allSettled([check(12), check(13), check(14)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
