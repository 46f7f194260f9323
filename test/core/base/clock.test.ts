import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/core/base/time/clock.ts';

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

test('a scheduled task starts each minute', async () => {
  expect(await pass(5)).toBe(5);
});

test('a wall clock that is set back by three hours delays nothing', async () => {
  await pass(2);
  vi.setSystemTime(Date.now() - 3 * HOUR_MS);
  expect(await pass(5)).toBeGreaterThanOrEqual(5);
});

test('a wall clock that is set forward by three hours skips no task, and starts each at most once more', async () => {
  await pass(2);
  vi.setSystemTime(Date.now() + 3 * HOUR_MS);
  expect(await pass(5)).toBeGreaterThanOrEqual(5);
  expect(starts.length).toBeLessThanOrEqual(7);
});

test('a stopped clock starts nothing, whatever happens to the wall clock', async () => {
  stop();
  vi.setSystemTime(Date.now() - HOUR_MS);
  expect(await pass(3)).toBe(0);
});
