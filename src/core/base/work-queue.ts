import { oncePerTurn } from './time/turns.ts';

/** Acknowledged work begins once no request has arrived for this long… */
const QUIET_MS = 10;
/** …and at the latest after this long, because people wait for the answer. */
const MAX_HOLD_MS = 200;
/** Urgent steps wait no longer than this for the end of a burst. */
const MAX_URGENT_HOLD_MS = 50;
const RESERVED_EACH = 5;

export interface WorkQueueLimits {
  maxRunning: number;
  maxRunningEach: number;
  /** Of all people together. A person with only a few waiting pieces may exceed it, up to twice this number. */
  maxWaiting: number;
  maxWaitingEach: number;
}

export interface WorkQueue {
  /** Call this before you acknowledge. */
  hasRoom(person: string): boolean;
  /**
   * Call this only if `hasRoom` returned true.
   * @param start runs the urgent steps as soon as the burst has passed, and returns the rest, which takes its turn
   */
  run<T>(person: string, start: () => () => Promise<T>): Promise<T>;
  counts(): { waiting: number; running: number };
}

interface Piece {
  sinceMs: number;
  begin: () => void;
}

/**
 * Delays work so that acknowledgements come first, and limits the waiting work. Work holds the event loop for a
 * millisecond now and then (a write that waits for the disk, a big answer), so each of fifty commands that arrive
 * together would wait for the work of the others. Therefore work begins after the burst, pieces start one by one, and
 * new arrivals are acknowledged between two pieces. The urgent steps, such as opening a form, wait for the burst alone.
 * People take turns, so a backlog delays only its sender. It uses real timers and not the injected clock, as connections
 * do.
 *
 * @example
 * const queue = createWorkQueue({ maxRunning: 100, maxRunningEach: 25, maxWaiting: 500, maxWaitingEach: 100 });
 * if (!queue.hasRoom(user)) return ack('Busy');
 * await ack();
 * void queue.run(user, () => { openForm(); return work; });
 */
export function createWorkQueue(limits: WorkQueueLimits): WorkQueue {
  /** The waiting pieces of each person, in the order of turns. */
  const waiting = new Map<string, Piece[]>();
  const running = new Map<string, number>();
  let waitingCount = 0;
  let runningCount = 0;
  let arrivedMs = 0;
  let isScheduled = false;
  const untilBurstEnds = oncePerTurn(async () => {
    const latestMs = performance.now() + MAX_URGENT_HOLD_MS;
    for (;;) {
      const leftMs = Math.min(arrivedMs + QUIET_MS, latestMs) - performance.now();
      if (leftMs <= 0) return;
      await new Promise<void>((resolve) => setTimeout(resolve, leftMs));
    }
  });

  const takeNext = (): Piece | undefined => {
    const next = [...waiting].find(([person]) => (running.get(person) ?? 0) < limits.maxRunningEach);
    if (!next) return undefined;
    const [person, pieces] = next;
    waiting.delete(person);
    const piece = pieces.shift();
    running.set(person, (running.get(person) ?? 0) + 1);
    runningCount += 1;
    if (pieces.length > 0) waiting.set(person, pieces);
    waitingCount -= 1;
    return piece;
  };
  const oldestMs = () => Math.min(...[...waiting.values()].map(([first]) => first?.sinceMs ?? Infinity));
  const runNext = () => {
    isScheduled = waitingCount > 0 && runningCount < limits.maxRunning;
    if (!isScheduled) return;
    const leftMs = Math.min(arrivedMs + QUIET_MS, oldestMs() + MAX_HOLD_MS) - performance.now();
    if (leftMs > 0) {
      setTimeout(runNext, leftMs);
      return;
    }
    const next = takeNext();
    isScheduled = next !== undefined;
    next?.begin();
    if (next) setImmediate(runNext);
  };
  const scheduleNext = () => {
    if (isScheduled || waitingCount === 0) return;
    isScheduled = true;
    setTimeout(runNext, QUIET_MS);
  };

  return {
    hasRoom: (person) => {
      const own = waiting.get(person)?.length ?? 0;
      const people = waiting.has(person) ? waiting.size : waiting.size + 1;
      const share = Math.min(limits.maxWaitingEach, Math.max(1, Math.floor(limits.maxWaiting / people)));
      if (own >= share) return false;
      // Even when the queue is full, each person gets a few pieces in.
      return waitingCount < (own < RESERVED_EACH ? 2 : 1) * limits.maxWaiting;
    },
    run: async (person, start) => {
      arrivedMs = performance.now();
      const started = untilBurstEnds().then(start);
      // Its error is thrown below, when its turn comes.
      started.catch(() => {});
      await new Promise<void>((begin) => {
        const pieces = waiting.get(person) ?? [];
        pieces.push({ sinceMs: arrivedMs, begin });
        waiting.set(person, pieces);
        waitingCount += 1;
        scheduleNext();
      });
      try {
        const work = await started;
        return await work();
      } finally {
        const remaining = (running.get(person) ?? 1) - 1;
        if (remaining > 0) running.set(person, remaining);
        else running.delete(person);
        runningCount -= 1;
        scheduleNext();
      }
    },
    counts: () => ({ waiting: waitingCount, running: runningCount }),
  };
}

/** What one reading holds in memory, until it is closed. */
export interface ByteHold {
  /** @throws BudgetExceededError when all others wait too: one of them has to give up */
  take(bytes: number): Promise<void>;
  close(): void;
}

export interface ByteBudget {
  open(): ByteHold;
}

export class BudgetExceededError extends Error {
  override readonly name = 'BudgetExceededError';
}

/**
 * Above the bound a connection is not read from until another answer is done, and the network passes this back-pressure
 * on to the platform.
 *
 * @param oldestContinues the oldest holder never waits, so that none has to give up
 * @example
 * const hold = createByteBudget(1_000_000).open();
 * await hold.take(chunk.length);
 */
export function createByteBudget(maxBytes: number, { oldestContinues = false } = {}): ByteBudget {
  const holders = new Set<ByteHold>();
  let usedBytes = 0;
  const fits = (bytes: number) => usedBytes + bytes <= maxBytes;
  const mayExceed = (hold: ByteHold) => oldestContinues && holders.values().next().value === hold;
  let waiting: (() => void)[] = [];
  const wake = () => {
    const woken = waiting;
    waiting = [];
    for (const resume of woken) resume();
  };
  return {
    open: () => {
      let ownBytes = 0;
      const hold: ByteHold = {
        take: async (bytes) => {
          while (!fits(bytes) && !mayExceed(hold)) {
            if (!oldestContinues && waiting.length + 1 >= holders.size) throw new BudgetExceededError();
            await new Promise<void>((resume) => waiting.push(resume));
          }
          usedBytes += bytes;
          ownBytes += bytes;
        },
        close: () => {
          holders.delete(hold);
          usedBytes -= ownBytes;
          ownBytes = 0;
          wake();
        },
      };
      holders.add(hold);
      return hold;
    },
  };
}
