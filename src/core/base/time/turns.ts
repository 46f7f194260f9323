import { type Clock, NOT_NEEDED } from './clock.ts';

/** Requests that arrive together over separate connections are seldom further apart. */
const PAUSE_MS = 10;
/** Requests may arrive without end: after this time, work resumes for as long before it pauses again. */
const MAX_PAUSE_MS = 100;
let pauseEndsMs = 0;
let pauseBeganMs: number | undefined;
let worksUntilMs = 0;

/**
 * Pauses long work at its next turn. To be called for each request that arrives, so that others which arrive with it find
 * the processor free: their acknowledgements need several turns.
 */
export function pauseWork(): void {
  pauseEndsMs = performance.now() + PAUSE_MS;
}

function pauseLeftMs(): number {
  const nowMs = performance.now();
  if (nowMs >= pauseEndsMs || nowMs < worksUntilMs) {
    pauseBeganMs = undefined;
    return 0;
  }
  pauseBeganMs ??= nowMs;
  if (nowMs - pauseBeganMs < MAX_PAUSE_MS) return pauseEndsMs - nowMs;
  pauseBeganMs = undefined;
  worksUntilMs = nowMs + MAX_PAUSE_MS;
  return 0;
}

function createTurns(waitMs: () => number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const wakeNext = () => {
    const ms = waitMs();
    if (ms > 0) {
      setTimeout(wakeNext, ms);
      return;
    }
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(wakeNext);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      // Immediates run right after network input, but timers and newer input only after those: hence two.
      if (waiting.length === 1) setImmediate(() => setImmediate(wakeNext));
    });
}

/**
 * Gives the event loop a turn in the middle of long work, and waits while requests arrive. In each turn only one waiter
 * continues: with a bare `setImmediate` all would, and a dozen answers parsed at once would delay acknowledgements twelve
 * times as long.
 *
 * @example for (const part of parts) { decode(part); await nextTurn(); }
 */
export const nextTurn = createTurns(pauseLeftMs);

/** A piece of work that takes less needs no turn of its own, which would take as long. */
const MAX_WORK_MS = 1;
let workBeganMs: number | undefined;

/**
 * Whether work that asks this has run for a millisecond without a turn of the event loop, or requests arrive: for many
 * small pieces.
 *
 * @example for (const day of days) { fold(day); if (isTurnDue()) await nextTurn(); }
 */
export function isTurnDue(): boolean {
  const nowMs = performance.now();
  if (workBeganMs === undefined) {
    workBeganMs = nowMs;
    setImmediate(() => (workBeganMs = undefined));
  }
  return nowMs - workBeganMs >= MAX_WORK_MS || nowMs < pauseEndsMs;
}

/** Gives it a turn in the middle of what an acknowledgement may wait for, such as a write: it is never paused. */
export const nextUrgentTurn = createTurns(() => 0);

/** Gives other work a turn before the first item and after each `itemsATurn`. @example await inTurns(people, 500) */
export async function inTurns<Item>(items: Iterable<Item>, itemsATurn: number): Promise<Item[]> {
  const collected: Item[] = [];
  await nextTurn();
  for (const item of items) {
    collected.push(item);
    if (collected.length % itemsATurn === 0) await nextTurn();
  }
  return collected;
}

/**
 * Gives other work a turn after each `itemsATurn`, before the next item is taken.
 *
 * @example for await (const person of eachInTurns(people, 500)) fold(person);
 */
export async function* eachInTurns<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  itemsATurn = 1,
): AsyncGenerator<Item, void, undefined> {
  let count = 0;
  for await (const item of items) {
    if (count > 0 && count % itemsATurn === 0) await nextTurn();
    count += 1;
    yield item;
  }
}

/** For many small pieces: gives other work a turn whenever these have taken a millisecond, or requests arrive. */
export async function* eachWhileFree<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
): AsyncGenerator<Item, void, undefined> {
  for await (const item of items) {
    yield item;
    if (isTurnDue()) await nextTurn();
  }
}

/** Does a piece of long work in a turn of its own. @example const view = await inOwnTurn(() => show(report)); */
export async function inOwnTurn<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  await nextTurn();
  return work();
}

/**
 * Makes one promise for all calls of a turn of the event loop: a burst of fifty clicks then waits for one timer.
 *
 * @example
 * const pause = oncePerTurn(() => delay(10));
 * await pause();
 */
export function oncePerTurn<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | undefined;
  return () => {
    if (current) return current;
    // Before `make`, so that an immediate of its own resolves when the next call already makes a new promise.
    setImmediate(() => (current = undefined));
    current = make();
    return current;
  };
}

/** Waits at most `waitMs`. The reading itself continues, so its value may reach a cache. */
export async function withinTime<Value, Late>(
  clock: Pick<Clock, 'sleep'>,
  waitMs: number,
  reading: Promise<Value>,
  late: Late,
): Promise<Value | Late> {
  const waiting = new AbortController();
  try {
    return await Promise.race([reading, clock.sleep(waitMs, waiting.signal).then(() => late)]);
  } finally {
    waiting.abort(NOT_NEEDED);
  }
}

export interface BatchBounds<Item> {
  maxItems: number;
  /** The largest sum of `sizeOf` over one batch. A single item may exceed it. */
  maxSize?: number;
  sizeOf?: (item: Item) => number;
}

/**
 * Cuts a list into batches, in its order, because an engine binds a limited number of values at once, and so that other
 * work gets a turn between batches.
 *
 * @example batchesOf([1, 2, 3], { maxItems: 2 }) // [[1, 2], [3]]; [] for an empty list
 */
export function batchesOf<Item>(items: readonly Item[], bounds: BatchBounds<Item>): Item[][] {
  return [...eachBatch(items, bounds)];
}

/** Like `batchesOf`, for items that are made one by one: only one batch is in memory. */
export function* eachBatch<Item>(
  items: Iterable<Item>,
  { maxItems, maxSize = Infinity, sizeOf = () => 0 }: BatchBounds<Item>,
): Generator<Item[], void, undefined> {
  let batch: Item[] = [];
  let size = 0;
  for (const item of items) {
    size += sizeOf(item);
    if (batch.length > 0 && (batch.length >= maxItems || size > maxSize)) {
      yield batch;
      batch = [];
      size = sizeOf(item);
    }
    batch.push(item);
  }
  if (batch.length > 0) yield batch;
}
