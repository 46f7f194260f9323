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
export function batchesOf<Item>(
  items: readonly Item[],
  { maxItems, maxSize = Infinity, sizeOf = () => 0 }: BatchBounds<Item>,
): Item[][] {
  const batches: Item[][] = [];
  let size = 0;
  for (const item of items) {
    const batch = batches.at(-1);
    size += sizeOf(item);
    if (batch && batch.length < maxItems && size <= maxSize) batch.push(item);
    else {
      batches.push([item]);
      size = sizeOf(item);
    }
  }
  return batches;
}
