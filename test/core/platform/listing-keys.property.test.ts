import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSharedKeys } from '../../../src/core/platform/endpoints/listing-keys.ts';

const LISTINGS = 3;
const step = fc.oneof(
  fc.record({ listing: fc.nat(LISTINGS - 1), key: fc.string({ maxLength: 2 }) }),
  fc.record({ listing: fc.nat(LISTINGS - 1), ends: fc.constant(true) }),
);

test('listings that run side by side each see a key as new once, whatever the others see and when they end', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const shared = createSharedKeys();
      const begin = () => ({ keys: shared.open(), expected: new Set<string>() });
      const wrong: string[] = [];
      const listings = Array.from({ length: LISTINGS }, begin);
      for (const each of steps) {
        const current = listings[each.listing];
        if (!current) throw new Error('There is no such listing');
        if ('key' in each) {
          if (current.keys.isNew(each.key) === current.expected.has(each.key)) wrong.push(each.key);
          current.expected.add(each.key);
        } else {
          current.keys[Symbol.dispose]();
          listings[each.listing] = begin();
        }
      }
      expect(wrong).toEqual([]);
    }),
  );
});

test('thousands of keys are each new once', () => {
  using keys = createSharedKeys().open();
  const all = Array.from({ length: 5_000 }, (_, index) => `user_${index}`);
  expect(all.filter((key) => keys.isNew(key))).toEqual(all);
  expect(all.filter((key) => keys.isNew(key))).toEqual([]);
});
