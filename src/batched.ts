/**
 * Joins calls into fewer: what arrives in the same turn of the event loop, or while an earlier batch is under way, is done
 * together. For writes that each wait for the disk.
 *
 * @param run does all of a batch; one result for each item, in their order. What it throws, every caller of the batch gets.
 * @param maxItems of one batch
 * @example
 * const insert = batched((rows: Row[]) => insertAll(rows), 100);
 * await Promise.all(clicks.map((click) => insert(rowOf(click)))); // one statement
 */
export function batched<Item, Result extends object | string | number | boolean>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  maxItems: number,
): (item: Item) => Promise<Result> {
  let waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  let isUnderWay = false;
  const flush = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxItems);
      waiting = waiting.slice(maxItems);
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
    }
    isUnderWay = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isUnderWay) return;
      isUnderWay = true;
      setImmediate(() => void flush());
    });
}
