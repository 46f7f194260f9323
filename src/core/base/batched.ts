import { setImmediate as nextTurn } from 'node:timers/promises';

export interface BatchLimits {
  maxItems: number;
  /** A batch begins once no item has arrived for this long, which may be a fraction of a millisecond… */
  quietMs: number;
  /** …and at the latest this long after the first item. */
  maxWaitMs: number;
  /** The number of batches that run at the same time; 1 by default. */
  maxAtOnce?: number;
  /** Once it is aborted, batches begin without waiting for more items. */
  flushNow?: AbortSignal;
}

/**
 * Joins calls into batches, for writes that wait for the disk: otherwise each turn of the event loop in a burst pays
 * for its own commit, and the last item waits for all of them.
 *
 * @param run returns a result per item, in their order. If it throws, all callers of the batch do.
 * @example
 * const insert = batched((rows: Row[]) => insertAll(rows), { maxItems: 100, quietMs: 1, maxWaitMs: 5 });
 * await Promise.all(clicks.map((click) => insert(rowOf(click)))); // one statement
 */
export function batched<Item, Result extends object | string | number | boolean>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { maxItems, quietMs, maxWaitMs, maxAtOnce = 1, flushNow }: BatchLimits,
): (item: Item) => Promise<Result> {
  let waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  let arrivedMs = 0;
  const underWay = new Set<Promise<void>>();
  let isFlushing = false;
  let wake: (() => void) | undefined;
  flushNow?.addEventListener('abort', () => wake?.());
  const untilQuiet = async () => {
    const startMs = performance.now();
    await nextTurn();
    for (;;) {
      const leftMs = Math.min(arrivedMs + quietMs, startMs + maxWaitMs) - performance.now();
      if (leftMs <= 0 || waiting.length >= maxItems || flushNow?.aborted) return;
      // No timer is shorter than a millisecond.
      if (leftMs < 1) {
        await nextTurn();
        continue;
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const runBatch = async (batch: typeof waiting) => {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error('A batch gave fewer results than it has items'));
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const flush = async () => {
    while (waiting.length > 0) {
      await untilQuiet();
      while (underWay.size >= maxAtOnce) await Promise.race(underWay);
      const running = runBatch(waiting.slice(0, maxItems)).finally(() => underWay.delete(running));
      waiting = waiting.slice(maxItems);
      underWay.add(running);
    }
    isFlushing = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      arrivedMs = performance.now();
      if (waiting.length >= maxItems) wake?.();
      if (isFlushing) return;
      isFlushing = true;
      void flush();
    });
}
