import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCompact, formatNumber, formatRange } from '../../../src/core/base/text/numbers.ts';

test('a sum of decimals shows the same in any order of addition', () => {
  // Halves, for which the smallest remainder decides the shown number.
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

test.for([
  [0, '0'],
  [0.04, '<0.1'],
  [0.002, '<0.1'],
  [0.05, '0.1'],
  [1e-12, '0'],
  [3.25, '3.3'],
  [902, '902'],
  [1_000, '1 K'],
  [1_234, '1.23 K'],
  [13_625, '13.6 K'],
  [199_507, '200 K'],
  [999_499, '999 K'],
  [999_500, '1 M'],
  [44_889_090, '44.9 M'],
  [-5_266_000, '-5.27 M'],
  [1_640_000_000, '1.64 B'],
  [7_100_000_000_000, '7.1 T'],
] as const)('%d is %s in a headline', ([value, expected]) => {
  expect(formatCompact(value)).toBe(expected);
});

test.for([
  [159_000_000, 173_000_000, '159–173 M'],
  [806_000, 63_200_000, '806 K–63.2 M'],
  [806, 63_180, '806–63,200'],
  [350, 1_200_000, '350–1,200,000'],
  [0, 1_200_000, '0–1.2 M'],
  [38, 47, '38–47'],
  [999_600, 1_004_000, '1 M'],
] as const)('the range from %d to %d is %s, so that both ends show their own unit', ([low, high, expected]) => {
  expect(formatRange(low, high, '–')).toBe(expected);
});

test.for([-0.04, -0, -0.4e-9])('%d has no sign', (value) => {
  expect([formatNumber(value), formatCompact(value)]).toEqual(['0', '0']);
});

test('a headline has at most three digits, which are those of the number', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e14, max: 1e14 }), (value) => {
      const text = formatCompact(value);
      expect(text.replaceAll(/[^0-9]/g, '').length).toBeLessThanOrEqual(3);
      const letter = text.at(-1) ?? '';
      const size = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 }[letter] ?? 1;
      expect(Math.abs(Number.parseFloat(text) * size - value)).toBeLessThanOrEqual(Math.abs(value) * 0.005 + 1e-9);
    }),
  );
});
