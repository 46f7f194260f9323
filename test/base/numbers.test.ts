import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatNumber } from '../../src/base/numbers.ts';

test('a sum of decimals shows the same in whatever order they were added', () => {
  // Halves, where the least rest decides what is shown.
  const cents = fc
    .array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 2, maxLength: 60 })
    .map((amounts) => [...amounts, (150 - (amounts.reduce((total, amount) => total + amount, 0) % 100)) % 100]);
  fc.assert(
    fc.property(cents, (amounts) => {
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value / 100, 0);
      const exact = amounts.reduce((total, amount) => total + amount, 0);
      const expected =
        exact < 1_000 && exact % 100 !== 0
          ? (Math.round(exact / 10) / 10).toLocaleString('en-US')
          : Math.round(exact / 100).toLocaleString('en-US');
      expect(formatNumber(sum(amounts))).toBe(expected);
      expect(formatNumber(sum(amounts.toReversed()))).toBe(expected);
    }),
  );
});
