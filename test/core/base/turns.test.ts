import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  inTurns,
  isTurnDue,
  nextTurn,
  nextUrgentTurn,
  oncePerTurn,
  pauseWork,
} from '../../../src/core/base/time/turns.ts';

test('waiters for a turn of the event loop get one each, in order', async () => {
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

test('each of a thousand waiters gets a turn', async () => {
  let done = 0;
  await Promise.all(
    Array.from({ length: 1_000 }, async () => {
      await nextTurn();
      done += 1;
    }),
  );
  expect(done).toBe(1_000);
});

test('a collection in turns computes a part at a time, and is complete', async () => {
  let turns = 0;
  const turnOf: number[] = [];
  const countTurns = () => {
    turns += 1;
    if (turnOf.length < 10) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  function* numbers() {
    for (let number = 0; number < 10; number += 1) {
      turnOf.push(turns);
      yield number;
    }
  }
  expect(await inTurns(numbers(), 4)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const [first, fifth, ninth] = [turnOf[0], turnOf[4], turnOf[8]];
  expect(turnOf).toEqual([first, first, first, first, fifth, fifth, fifth, fifth, ninth, ninth]);
  expect(new Set([0, first, fifth, ninth]).size).toBe(4);
});

test('timers that are due get their turn, even during the answer to a read', async () => {
  await readFile(import.meta.filename);
  let isFired = false;
  setTimeout(() => (isFired = true), 1);
  for (const startMs = performance.now(); performance.now() - startMs < 5;);
  await nextTurn();
  expect(isFired).toBe(true);
});

test('what an acknowledgement waits for gets its turn while long work pauses', async () => {
  // However slow the machine is, the pause does not end before the write.
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  pauseWork();
  const order: string[] = [];
  const long = nextTurn().then(() => order.push('long work'));
  await nextUrgentTurn();
  order.push('a write');
  await vi.advanceTimersByTimeAsync(1_000);
  await long;
  expect(order).toEqual(['a write', 'long work']);
});

test('long work pauses while requests arrive, for half of the time if they never end', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  // Requests of another test in this process may have arrived a moment ago.
  await vi.advanceTimersByTimeAsync(10_000);
  const startMs = performance.now();
  const workedMs: number[] = [];
  const isOver = () => performance.now() - startMs >= 1_100;
  const work = async () => {
    for (; !isOver(); await new Promise((resolve) => setTimeout(resolve, 1))) {
      await nextTurn();
      workedMs.push(performance.now() - startMs);
    }
  };
  pauseWork();
  const working = work();
  for (let arrivalMs = 0; arrivalMs < 1_000; arrivalMs += 5) {
    pauseWork();
    await vi.advanceTimersByTimeAsync(5);
  }
  await vi.advanceTimersByTimeAsync(200);
  await working;
  const isDuring = (fromMs: number, toMs: number) => workedMs.filter((ms) => ms >= fromMs && ms < toMs).length;
  expect(isDuring(0, 99)).toBe(0);
  expect(isDuring(100, 199)).toBeGreaterThan(20);
  expect(isDuring(0, 1_000)).toBeLessThan(600);
  expect(isDuring(1_010, 1_100)).toBeGreaterThan(20);
});

test('a turn is due after a millisecond of work without one, and while requests arrive', async () => {
  const work = (ms: number) => {
    for (const startMs = performance.now(); performance.now() - startMs < ms;);
  };
  // A pause of an earlier test may last some milliseconds more.
  await expect.poll(isTurnDue).toBe(false);
  await nextTurn();
  expect(isTurnDue()).toBe(false);
  work(1.5);
  expect(isTurnDue()).toBe(true);
  await nextTurn();
  expect(isTurnDue()).toBe(false);
  pauseWork();
  expect(isTurnDue()).toBe(true);
  // A busy machine may end the wait a moment before the pause.
  await expect.poll(isTurnDue).toBe(false);
});

test('calls of one turn share a promise, and those of the next turn get another', async () => {
  let made = 0;
  const turn = oncePerTurn(() => {
    made += 1;
    return new Promise<void>((resolve) => setImmediate(resolve));
  });
  const first = turn();
  expect(turn()).toBe(first);
  await first;
  // It resolves in the turn that follows, so a call after it belongs to that one.
  expect(turn()).not.toBe(first);
  expect(made).toBe(2);
});
