import type { Clock } from '../../core/base/time/clock.ts';
import { createMinuteWatch, untilNextMinuteMs } from '../../core/base/time/calendar.ts';

/** Earlier moves are forgotten: nothing due that long ago is delivered late. */
const MAX_JUMPS = 1_000;

type MinuteAct = Parameters<Clock['eachMinute']>[0];

interface Sleeper {
  dueMs: number;
  wake: () => void;
}

/** A clock that can be moved. It runs at real speed from its last setting, unless it is frozen. */
export interface MovableClock extends Clock {
  /** Moves to `instant`, also backwards. Sleepers that are due wake, and what runs each minute learns of those passed. */
  moveTo(instant: Date): void;
  /** Resolves when the work of the start and of the minutes that began is done. */
  whenTicked(): Promise<void>;
  /** The time until the next sleeper is due; infinite without sleepers. */
  untilNextMs(): number;
  /** Stops every timer that it started. */
  dispose(): void;
}

/**
 * Creates a movable clock.
 *
 * @param start the first instant that it shows
 * @param frozen `true`: time stops between moves (tests); `false`: it runs at real speed (the demo)
 * @param remembersMoves `true`: nothing within a move is late (the demo); `false`: it is late, as after downtime (tests)
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
  const minutely = new Set<MinuteAct>();
  const runs = new Set<Promise<void>>();
  const nowMs = () => (frozen ? shownMs : shownMs + (performance.now() - setAtMs));

  const wakeDue = () => {
    for (const sleeper of [...sleepers].toSorted((a, b) => a.dueMs - b.dueMs)) {
      if (sleeper.dueMs <= nowMs()) sleeper.wake();
    }
  };
  const readPassed = createMinuteWatch(nowMs);
  const run = (act: MinuteAct, passed: Parameters<MinuteAct>[0]) => {
    const running = act(passed).finally(() => runs.delete(running));
    runs.add(running);
  };
  const actIfMinutesPassed = () => {
    const passed = readPassed();
    if (passed === undefined) return;
    for (const act of minutely) run(act, passed);
  };
  let timer: NodeJS.Timeout | undefined;
  // Wakes the next sleeper on time. A bot sleeps often, and a fixed polling interval would be late each time.
  const waitForNext = () => {
    clearTimeout(timer);
    if (frozen || isDisposed) return;
    const untilSleepersMs = [...sleepers].map(({ dueMs }) => dueMs - nowMs());
    const waitMs = Math.min(untilNextMinuteMs(nowMs()), ...untilSleepersMs);
    timer = setTimeout(lookAround, Math.max(1, Math.ceil(waitMs)));
    timer.unref();
  };
  const lookAround = () => {
    wakeDue();
    actIfMinutesPassed();
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
    eachMinute: (act) => {
      minutely.add(act);
      run(act, 'jumped');
      return () => void minutely.delete(act);
    },
    ...(!remembersMoves ? {} : { reachedAt: (instant: Date) => landedAt(jumps, instant) }),
    moveTo: (instant) => {
      jumps.push({ fromMs: nowMs(), toMs: instant.getTime() });
      if (jumps.length > MAX_JUMPS) jumps.shift();
      shownMs = instant.getTime();
      setAtMs = performance.now();
      lookAround();
    },
    whenTicked: async () => void (await Promise.allSettled(runs)),
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
