import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedDays } from '../../src/usage/check-now.ts';
import { propertyRuns } from '../support/property-runs.ts';

const dayOf = (index: number) => new Date(Date.UTC(2026, 1, 1 + index)).toISOString().slice(0, 10);
const rowsOf = (amounts: readonly (number | undefined)[]) =>
  amounts.flatMap((credits, index) =>
    credits === undefined ? [] : [{ date: dayOf(index), billable_tokens: credits }],
  );
const amount = fc.option(fc.nat(1_000_000), { nil: undefined, freq: 8 });

test('exactly the restated, added and removed days are found, with both amounts', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(amount, amount, fc.boolean()), { maxLength: 31 }), (days) => {
      const before = days.map(([one]) => one);
      const after = days.map(([one, other, isRestated]) => (isRestated ? other : one));
      const planted = before.flatMap((was, index) =>
        was === after[index] ? [] : [{ day: dayOf(index), before: was, after: after[index] }],
      );
      expect(changedDays(rowsOf(before), rowsOf(after))).toEqual(planted);
    }),
    { numRuns: propertyRuns(2_000) },
  );
});
