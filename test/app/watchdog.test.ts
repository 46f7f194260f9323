import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWatchdog } from '../../src/app/watchdog.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const start = () => {
  const fatal: string[] = [];
  const watchdog = createWatchdog({ nowMs: () => Date.now(), onFatal: (reason) => void fatal.push(reason) });
  watchdog.start();
  watchdog.recordTurn('ticker', 'ended');
  watchdog.recordTurn('outbox', 'ended');
  /** The other loop turns all the time. */
  const pass = (seconds: number, turning: 'ticker' | 'outbox') => {
    for (let second = 0; second < seconds; second += 1) {
      vi.advanceTimersByTime(1_000);
      watchdog.recordTurn(turning, 'ended');
    }
  };
  return { watchdog, fatal, pass };
};

test('a turn of the event loop that does not end is reported after a minute, and ends the process after five', () => {
  const { watchdog, fatal, pass } = start();
  watchdog.recordTurn('outbox', 'began');
  pass(60, 'ticker');
  expect(watchdog.fault()).toBeUndefined();
  pass(1, 'ticker');
  expect(watchdog.fault()).toBe('The outbox has made no turn for over a minute');
  pass(238, 'ticker');
  expect(fatal).toEqual([]);
  pass(6, 'ticker');
  expect(fatal[0]).toBe('The outbox has made no turn for five minutes: Quartermaster ends, to be started again.');
});

test('a ticker that waits for its next minute is healthy, and one that misses it is not', () => {
  const { watchdog, pass } = start();
  pass(119, 'outbox');
  expect(watchdog.fault()).toBeUndefined();
  pass(2, 'outbox');
  expect(watchdog.fault()).toContain('The ticker');
});

test('a process that was stopped for ten minutes gets its turns before the watchdog judges it', () => {
  const { watchdog, fatal, pass } = start();
  vi.setSystemTime(Date.now() + 600_000);
  vi.advanceTimersByTime(5_000);
  expect(fatal).toEqual([]);
  expect(watchdog.fault()).toBeUndefined();
  pass(10, 'outbox');
  expect(fatal).toEqual([]);
});
