import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTurns } from '../../src/slack/turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('work begins when nothing more has arrived for ten milliseconds', async () => {
  const turn = createTurns();
  const begun: number[] = [];
  for (let arrival = 0; arrival < 5; arrival += 1) {
    void turn().then(() => begun.push(arrival));
    await vi.advanceTimersByTimeAsync(6);
  }
  expect(begun).toEqual([]);
  await vi.advanceTimersByTimeAsync(30);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

test('work begins although more and more arrives, and in the order of arrival', async () => {
  const turn = createTurns();
  const waits: number[] = [];
  for (let arrival = 0; arrival < 200; arrival += 1) {
    const arrivedMs = performance.now();
    void turn().then(() => waits.push(performance.now() - arrivedMs));
    await vi.advanceTimersByTimeAsync(5);
  }
  await vi.advanceTimersByTimeAsync(500);
  expect(waits).toHaveLength(200);
  expect(Math.max(...waits)).toBeLessThan(250);
});

test('what arrives between two pieces of work is seen before the second begins', async () => {
  const turn = createTurns();
  const order: string[] = [];
  const arrive = (name: string) => {
    order.push(`${name} arrived`);
    return turn().then(() => void order.push(`${name} began`));
  };
  const first = arrive('first').then(() => void arrive('late'));
  const second = arrive('second');
  await vi.advanceTimersByTimeAsync(100);
  await Promise.all([first, second]);
  expect(order).toEqual([
    'first arrived',
    'second arrived',
    'first began',
    'late arrived',
    'second began',
    'late began',
  ]);
});
