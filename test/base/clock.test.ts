import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/base/time/clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let starts: Date[] = [];
let stop: () => void = () => undefined;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-23T12:00:30Z') });
  starts = [];
  stop = systemClock.schedule('* * * * *', async () => void starts.push(new Date()));
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

const pass = async (minutes: number) => {
  starts = [];
  await vi.advanceTimersByTimeAsync(minutes * MINUTE_MS);
  return starts.length;
};

test('what is scheduled starts each minute', async () => {
  expect(await pass(5)).toBe(5);
});

test('a wall clock that is set back by three hours delays nothing', async () => {
  await pass(2);
  vi.setSystemTime(Date.now() - 3 * HOUR_MS);
  expect(await pass(5)).toBeGreaterThanOrEqual(5);
});

test('a wall clock that is set forward by three hours skips nothing, and starts nothing more than once besides', async () => {
  await pass(2);
  vi.setSystemTime(Date.now() + 3 * HOUR_MS);
  expect(await pass(5)).toBeGreaterThanOrEqual(5);
  expect(starts.length).toBeLessThanOrEqual(7);
});

test('after it is stopped nothing starts, whatever happens to the wall clock', async () => {
  stop();
  vi.setSystemTime(Date.now() - HOUR_MS);
  expect(await pass(3)).toBe(0);
});
