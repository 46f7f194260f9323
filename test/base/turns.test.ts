import { expect, test } from 'vitest';
import { nextTurn } from '../../src/base/time/turns.ts';

test('those who wait for a turn of the event loop get one each, in their order', async () => {
  const order: string[] = [];
  let turn = 0;
  const count = () => {
    turn += 1;
    if (order.length < 3) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      await nextTurn();
      order.push(`${name}:${turn}`);
    }),
  );
  expect(order.map((entry) => entry[0])).toEqual(['a', 'b', 'c']);
  expect(new Set(order.map((entry) => entry.slice(2))).size).toBe(3);
});

test('a turn comes for each of a thousand who wait', async () => {
  let done = 0;
  await Promise.all(
    Array.from({ length: 1_000 }, async () => {
      await nextTurn();
      done += 1;
    }),
  );
  expect(done).toBe(1_000);
});
