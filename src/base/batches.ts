export interface BatchBounds<Item> {
  maxItems: number;
  /** Of a batch together, by `sizeOf`; a single item may be larger. */
  maxSize?: number;
  sizeOf?: (item: Item) => number;
}

/**
 * Cuts a list into batches, in its order: because an engine binds only so many values at once, or to let others have their
 * turn in between.
 *
 * @returns none for an empty list
 * @example batchesOf([1, 2, 3], { maxItems: 2 }) // [[1, 2], [3]]
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
