/** What was acknowledged is worked on when nothing more has arrived for so long… */
const CALM_MS = 10;
/** …but at the latest after so long: somebody waits for the answer. */
const MAX_HOLD_MS = 200;
const RESERVED_EACH = 5;

export interface WorkQueueLimits {
  /** Pieces of work that run at the same time. */
  maxRunning: number;
  /** Of them, of one person. */
  maxRunningEach: number;
  /** Pieces that wait, of everybody together; up to twice as many where each person has a few only. */
  maxWaiting: number;
  /** Pieces that wait, of one person. */
  maxWaitingEach: number;
}

export interface WorkQueue {
  /** Whether one more piece of this person's would be taken now. Ask before you acknowledge. */
  hasRoom(person: string): boolean;
  /** Runs a piece of work when its turn has come; to be called only where there is room. */
  run<T>(person: string, work: () => Promise<T>): Promise<T>;
  counts(): { waiting: number; running: number };
}

interface Piece {
  sinceMs: number;
  begin: () => void;
}

/**
 * Lets acknowledgements go before work, and bounds what waits behind them. Work holds the event loop for a millisecond now
 * and then (a write that is confirmed by the disk, a big answer), and fifty commands that arrive together would wait for the
 * work on each other. So it begins when no more come, one piece after another, and between two pieces whatever has arrived
 * is acknowledged. People take turns: somebody who sends a hundred commands waits for their own, not others for them. In real
 * time: a connection knows no other.
 *
 * @example
 * const queue = createWorkQueue({ maxRunning: 100, maxRunningEach: 25, maxWaiting: 500, maxWaitingEach: 100 });
 * if (!queue.hasRoom(user)) return ack('Busy');
 * await ack();
 * void queue.run(user, work);
 */
export function createWorkQueue(limits: WorkQueueLimits): WorkQueue {
  /** By person; whose turn it is next comes first. */
  const waiting = new Map<string, Piece[]>();
  /** How many pieces of each person run. */
  const running = new Map<string, number>();
  let waitingCount = 0;
  let runningCount = 0;
  let arrivedMs = 0;
  let isLooking = false;

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
  const look = () => {
    isLooking = waitingCount > 0 && runningCount < limits.maxRunning;
    if (!isLooking) return;
    const leftMs = Math.min(arrivedMs + CALM_MS, oldestMs() + MAX_HOLD_MS) - performance.now();
    if (leftMs > 0) {
      setTimeout(look, leftMs);
      return;
    }
    const next = takeNext();
    isLooking = next !== undefined;
    next?.begin();
    if (next) setImmediate(look);
  };
  const lookSoon = () => {
    if (isLooking || waitingCount === 0) return;
    isLooking = true;
    setTimeout(look, CALM_MS);
  };

  return {
    hasRoom: (person) => {
      const own = waiting.get(person)?.length ?? 0;
      const people = waiting.has(person) ? waiting.size : waiting.size + 1;
      const share = Math.min(limits.maxWaitingEach, Math.max(1, Math.floor(limits.maxWaiting / people)));
      if (own >= share) return false;
      // Somebody who comes when it is full still gets a few in.
      return waitingCount < (own < RESERVED_EACH ? 2 : 1) * limits.maxWaiting;
    },
    run: async (person, work) => {
      await new Promise<void>((begin) => {
        arrivedMs = performance.now();
        const pieces = waiting.get(person) ?? [];
        pieces.push({ sinceMs: arrivedMs, begin });
        waiting.set(person, pieces);
        waitingCount += 1;
        lookSoon();
      });
      try {
        return await work();
      } finally {
        const left = (running.get(person) ?? 1) - 1;
        if (left > 0) running.set(person, left);
        else running.delete(person);
        runningCount -= 1;
        lookSoon();
      }
    },
    counts: () => ({ waiting: waitingCount, running: runningCount }),
  };
}
