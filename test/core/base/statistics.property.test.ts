import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstInOrder } from '../../../src/core/base/statistics.ts';

test('the first items in an order are those that sorting all of them puts first', () => {
  const item = fc.record({ size: fc.integer({ min: 0, max: 9 }), name: fc.string({ maxLength: 2 }) });
  const bySize = (one: { size: number }, other: { size: number }) => other.size - one.size;
  fc.assert(
    fc.property(fc.array(item), fc.nat({ max: 12 }), (items, count) => {
      expect(firstInOrder(items, count, bySize)).toEqual(items.toSorted(bySize).slice(0, count));
    }),
  );
});
