import { createTask, type ScheduledTask } from 'node-cron';
import type { Clock } from '../base/time/clock.ts';

interface Ticker {
  task: ScheduledTask;
  run: () => Promise<void>;
}

/** Nothing that is due longer ago is delivered late. */
const MAX_JUMPS = 1_000;

/** A move over more minutes than this starts everything. */
const MAX_MINUTES = 24 * 60;

interface Sleeper {
  dueMs: number;
  wake: () => void;
}

/** A clock that can be moved. It runs at real speed from wherever it was set, unless it is frozen. */
export interface MovableClock extends Clock {
  /** Moves forward (or back) to `instant`; what slept until then wakes, and what was due on the way starts once. */
  moveTo(instant: Date): void;
  /** How long until the next one that sleeps is due; infinite where nobody sleeps. */
  untilNextMs(): number;
  /** Stops every timer that it started. */
  dispose(): void;
}

/**
 * Makes a movable clock.
 *
 * @param start the instant that it shows first
 * @param frozen `true`: time stands still between moves (tests); `false`: it goes on at real speed (the demo)
 * @param remembersMoves `true`: what a move passes is not late (the demo); `false`: it is, as after downtime (tests)
 * @example
 * const clock = createMovableClock(new Date('2026-03-02T08:00:00Z'), { frozen: true });
 * clock.moveTo(new Date('2026-03-02T09:00:00Z'));
 */
export function createMovableClock(
  start: Date,
  { frozen = false, remembersMoves = false }: { frozen?: boolean; remembersMoves?: boolean } = {},
): MovableClock {
  let shownMs = start.getTime();
  let setAtMs = performance.now();
  let isDisposed = false;
  const jumps: { fromMs: number; toMs: number }[] = [];
  const sleepers = new Set<Sleeper>();
  const tickers = new Set<Ticker>();
  const nowMs = () => (frozen ? shownMs : shownMs + (performance.now() - setAtMs));

  const wakeDue = () => {
    for (const sleeper of [...sleepers].toSorted((a, b) => a.dueMs - b.dueMs)) {
      if (sleeper.dueMs <= nowMs()) sleeper.wake();
    }
  };
  let minute = Math.floor(nowMs() / 60_000);
  const tickIfMinuteChanged = () => {
    const current = Math.floor(nowMs() / 60_000);
    if (current === minute) return;
    const passed = minutesBetween(minute, current);
    minute = current;
    for (const { task, run } of tickers) {
      if (passed === 'too many' || passed.some((instant) => task.match(instant))) void run();
    }
  };
  let timer: NodeJS.Timeout | undefined;
  // Wakes what is next on time, because a bot sleeps often: a look every so many milliseconds would be late each time.
  const waitForNext = () => {
    clearTimeout(timer);
    if (frozen || isDisposed) return;
    const nextMinuteMs = (Math.floor(nowMs() / 60_000) + 1) * 60_000;
    const dueMs = Math.min(nextMinuteMs, ...[...sleepers].map((sleeper) => sleeper.dueMs));
    timer = setTimeout(lookAround, Math.max(1, Math.ceil(dueMs - nowMs())));
    timer.unref();
  };
  const lookAround = () => {
    wakeDue();
    tickIfMinuteChanged();
    waitForNext();
  };
  waitForNext();

  return {
    now: () => new Date(nowMs()),
    sleep: (delayMs, signal) =>
      new Promise<void>((resolve, reject) => {
        signal?.throwIfAborted();
        const sleeper: Sleeper = {
          dueMs: nowMs() + delayMs,
          wake: () => {
            sleepers.delete(sleeper);
            signal?.removeEventListener('abort', onAbort);
            resolve();
          },
        };
        const onAbort = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason instanceof Error ? signal.reason : new Error('Aborted'));
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        sleepers.add(sleeper);
        if (delayMs <= 0) sleeper.wake();
        else waitForNext();
      }),
    schedule: (cron, run) => {
      const ticker = { task: createTask(cron, run, { timezone: 'UTC' }), run };
      tickers.add(ticker);
      return () => {
        tickers.delete(ticker);
        void ticker.task.destroy();
      };
    },
    ...(!remembersMoves ? {} : { reachedAt: (instant: Date) => landedAt(jumps, instant) }),
    moveTo: (instant) => {
      jumps.push({ fromMs: nowMs(), toMs: instant.getTime() });
      if (jumps.length > MAX_JUMPS) jumps.shift();
      shownMs = instant.getTime();
      setAtMs = performance.now();
      lookAround();
    },
    untilNextMs: () => Math.min(...[...sleepers].map((sleeper) => sleeper.dueMs)) - nowMs(),
    dispose: () => {
      isDisposed = true;
      clearTimeout(timer);
    },
  };
}

function landedAt(jumps: readonly { fromMs: number; toMs: number }[], instant: Date): Date {
  const ms = instant.getTime();
  const jump = jumps.findLast(({ fromMs, toMs }) => fromMs < ms && ms <= toMs);
  return jump ? new Date(jump.toMs) : instant;
}

/** The starts of the minutes that a move came through; `too many` also if it went back. */
function minutesBetween(before: number, after: number): Date[] | 'too many' {
  const count = after - before;
  if (count < 0 || count > MAX_MINUTES) return 'too many';
  return Array.from({ length: count }, (_, index) => new Date((before + 1 + index) * 60_000));
}
