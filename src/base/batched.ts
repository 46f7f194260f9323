import { setImmediate as nextTurn } from 'node:timers/promises';

export interface BatchLimits {
  /** Items of one batch. */
  maxItems: number;
  /** A batch begins when nothing more has come for so long… */
  calmMs: number;
  /** …but at the latest after so long. */
  maxWaitMs: number;
  /** Batches under way at once; 1 where it is left out. */
  maxAtOnce?: number;
  /** From then on nothing waits for more to come. */
  hurry?: AbortSignal;
}

/**
 * Joins calls into fewer: what arrives in a burst, or while earlier batches are under way, is done together. For writes that
 * each wait for the disk: of a burst that comes in over several turns of the event loop, each turn would otherwise pay for a
 * commit of its own, and what comes last would wait for all of them.
 *
 * @param run does all of a batch; one result for each item, in their order. What it throws, every caller of the batch gets.
 * @example
 * const insert = batched((rows: Row[]) => insertAll(rows), { maxItems: 100, calmMs: 1, maxWaitMs: 5 });
 * await Promise.all(clicks.map((click) => insert(rowOf(click)))); // one statement
 */
export function batched<Item, Result extends object | string | number | boolean>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { maxItems, calmMs, maxWaitMs, maxAtOnce = 1, hurry }: BatchLimits,
): (item: Item) => Promise<Result> {
  let waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  let arrivedMs = 0;
  const underWay = new Set<Promise<void>>();
  let isFlushing = false;
  let wake: (() => void) | undefined;
  hurry?.addEventListener('abort', () => wake?.());
  const untilCalm = async () => {
    const startMs = performance.now();
    await nextTurn();
    for (;;) {
      const leftMs = Math.min(arrivedMs + calmMs, startMs + maxWaitMs) - performance.now();
      if (leftMs <= 0 || waiting.length >= maxItems || hurry?.aborted) return;
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
      await untilCalm();
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
