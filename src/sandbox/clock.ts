import type { Clock } from '../base/time/clock.ts';

interface Sleeper {
  dueMs: number;
  wake: () => void;
}

/** A clock that can be moved. It runs at real speed from wherever it was set, unless it is frozen. */
export interface MovableClock extends Clock {
  /** Moves forward (or back) to `instant`; what slept until then wakes, and the minute ticks once. */
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
 * @example
 * const clock = createMovableClock(new Date('2026-03-02T08:00:00Z'), { frozen: true });
 * clock.moveTo(new Date('2026-03-02T09:00:00Z'));
 */
export function createMovableClock(start: Date, { frozen = false }: { frozen?: boolean } = {}): MovableClock {
  let shownMs = start.getTime();
  let setAtMs = performance.now();
  let isDisposed = false;
  const sleepers = new Set<Sleeper>();
  const tickers = new Set<() => void>();
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
    minute = current;
    for (const run of tickers) run();
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
    everyMinute: (run) => {
      tickers.add(run);
      return () => void tickers.delete(run);
    },
    moveTo: (instant) => {
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
