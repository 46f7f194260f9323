import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchesOf } from '../../../src/core/base/time/turns.ts';

describe('a list in batches', () => {
  test('is complete and in order, and no batch exceeds the maximum size unless it holds a single item', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50)), fc.integer({ min: 1, max: 8 }), fc.nat(100), (items, maxItems, maxSize) => {
        const batches = batchesOf(items, { maxItems, maxSize, sizeOf: (item) => item });
        expect(batches.flat()).toEqual(items);
        expect(batches.filter(({ length }) => length === 0 || length > maxItems)).toEqual([]);
        const sizeOf = (batch: number[]) => batch.reduce((sum, item) => sum + item, 0);
        expect(batches.filter((batch) => batch.length > 1 && sizeOf(batch) > maxSize)).toEqual([]);
      }),
    );
  });

  test('has the fewest batches that its number of items needs, if sizes do not matter', () => {
    expect(batchesOf([1, 2, 3, 4, 5], { maxItems: 2 })).toEqual([[1, 2], [3, 4], [5]]);
    expect(batchesOf([], { maxItems: 2 })).toEqual([]);
  });

  test('begins a new batch before an item that would make it too large', () => {
    const sizeOf = (text: string) => text.length;
    expect(batchesOf(['aa', 'bb', 'ccccc', 'd'], { maxItems: 9, maxSize: 4, sizeOf })).toEqual([
      ['aa', 'bb'],
      ['ccccc'],
      ['d'],
    ]);
  });
});
