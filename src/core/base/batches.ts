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
