import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/core/base/time/clock.ts';
import type { PassedMinutes } from '../../../src/core/base/time/calendar.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let calls: PassedMinutes[] = [];
let stop: () => void = () => undefined;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-23T12:00:30Z') });
  calls = [];
  stop = systemClock.eachMinute(async (passed) => void calls.push(passed));
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

const passMs = async (ms: number) => {
  calls = [];
  await vi.advanceTimersByTimeAsync(ms);
  return calls.map((passed) => (passed === 'jumped' ? passed : passed.map((at) => at.toISOString().slice(11)).join()));
};
const passMinutes = (minutes: number) => passMs(minutes * MINUTE_MS);
const setBy = (ms: number) => vi.setSystemTime(Date.now() + ms);

test('each minute of the wall clock comes once, when it begins', async () => {
  expect(await passMinutes(3)).toEqual(['12:01:00.000Z', '12:02:00.000Z', '12:03:00.000Z']);
  expect(await passMs(29_999)).toEqual([]);
  expect(await passMs(1)).toEqual(['12:04:00.000Z']);
});

test('a wall clock that is set back by three hours is noticed within 15 seconds, and delays nothing', async () => {
  await passMinutes(2);
  setBy(-3 * HOUR_MS);
  expect(await passMs(15_000)).toEqual(['jumped']);
  expect(await passMinutes(2)).toEqual(['09:03:00.000Z', '09:04:00.000Z']);
});

test('a wall clock that is set forward by three hours is noticed within 15 seconds, and skips nothing', async () => {
  await passMinutes(2);
  setBy(3 * HOUR_MS);
  expect(await passMs(15_000)).toEqual(['jumped']);
  expect(await passMinutes(2)).toEqual(['15:03:00.000Z', '15:04:00.000Z']);
});

test('a wall clock that is set forward by minutes brings each of them, and one that is set back within a minute none twice', async () => {
  setBy(3 * MINUTE_MS);
  expect(await passMs(15_000)).toEqual(['12:01:00.000Z,12:02:00.000Z,12:03:00.000Z']);
  expect(await passMs(15_000)).toEqual(['12:04:00.000Z']);
  setBy(30_000);
  setBy(-20_000);
  expect(await passMs(49_999)).toEqual([]);
  expect(await passMs(1)).toEqual(['12:05:00.000Z']);
});

test('a clock that was stopped calls nothing, whatever happens to the wall clock', async () => {
  stop();
  setBy(-HOUR_MS);
  expect(await passMinutes(3)).toEqual([]);
});
