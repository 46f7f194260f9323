import { describe, expect, test } from 'vitest';
import { batched } from '../src/batched.ts';

describe('batched calls', () => {
  test('of one turn of the event loop are one batch, and each gets its own result', async () => {
    const batches: number[][] = [];
    const double = batched((items: readonly number[]) => {
      batches.push([...items]);
      return Promise.resolve(items.map((item) => item * 2));
    }, 100);
    expect(await Promise.all([1, 2, 3].map((item) => double(item)))).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  test('that come while a batch is under way are the next one, which holds no more than it may', async () => {
    const batches: number[][] = [];
    const first = Promise.withResolvers<void>();
    const isUnderWay = Promise.withResolvers<void>();
    const echo = batched(async (items: readonly number[]) => {
      batches.push([...items]);
      isUnderWay.resolve();
      if (batches.length === 1) await first.promise;
      return items;
    }, 2);
    const one = echo(1);
    await isUnderWay.promise;
    const rest = [2, 3, 4].map((item) => echo(item));
    first.resolve();
    expect(await Promise.all([one, ...rest])).toEqual([1, 2, 3, 4]);
    expect(batches).toEqual([[1], [2, 3], [4]]);
  });

  test('get the error of their own batch only', async () => {
    const check = batched((items: readonly number[]) => {
      if (items.includes(13)) throw new Error('The disk is full');
      return Promise.resolve(items);
    }, 1);
    const results = await Promise.allSettled([check(12), check(13), check(14)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
