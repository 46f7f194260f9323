import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differingDays } from '../../../src/core/analytics/check-days.ts';
import { daysOf } from '../../../src/core/base/time/calendar.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const period = { first: '2026-02-01', last: '2026-02-28' };
const days = daysOf(period);
const rowsOf = (amounts: readonly (number | undefined)[]) =>
  amounts.flatMap((credits, index) =>
    credits === undefined ? [] : [{ date: days[index] ?? '', billable_tokens: credits }],
  );
const amount = fc.option(fc.nat(1_000_000), { nil: undefined, freq: 8 });

test('exactly the restated, added and removed days differ', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(amount, amount, fc.boolean()), { maxLength: 28 }), (cells) => {
      const before = cells.map(([one]) => one);
      const after = cells.map(([one, other, isRestated]) => (isRestated ? other : one));
      const planted = days.filter((_, index) => before[index] !== after[index]);
      expect(differingDays(rowsOf(before), rowsOf(after), period)).toEqual(planted);
    }),
    { numRuns: propertyRuns(2_000) },
  );
});

test('the rounding of sums over models is no difference', () => {
  const sum = 0.1 + 0.2;
  expect(differingDays(rowsOf([0.3]), rowsOf([sum]), { first: '2026-02-01', last: '2026-02-01' })).toEqual([]);
});
