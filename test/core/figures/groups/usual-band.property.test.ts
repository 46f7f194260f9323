import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quantile } from '../../../../src/core/base/statistics.ts';
import { stepsAround, usualBandOf } from '../../../../src/core/figures/groups/usual-band.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const RUNS = { numRuns: propertyRuns(2_000) };

const STEPS = [0, ...Array.from({ length: 15 }, (_, power) => [1, 2, 3, 5].map((digit) => digit * 10 ** power)).flat()];

/** Sums of tokens: whole, of decimals, and exactly a step. */
const amount = fc.oneof(
  fc.integer({ min: 1, max: 2_000_000_000 }),
  fc.double({ min: 0.001, max: 10_000, noNaN: true }),
  // The step after the last of them is a step, too.
  fc.constantFrom(...STEPS.slice(1, -1)),
);
const people = fc.array(amount, { minLength: 6, maxLength: 40 });

const bandOf = (amounts: readonly number[]) => {
  const band = usualBandOf(amounts, 5);
  if (!band) throw new Error('There is no band');
  return band;
};

describe('steps', () => {
  test.each([
    [0.4, 0, 1],
    [1, 1, 2],
    [4, 3, 5],
    [999, 500, 1_000],
    [1_000, 1_000, 2_000],
    [420_000, 300_000, 500_000],
    [10 ** 15, 10 ** 15, 2 * 10 ** 15],
  ])('%d is between %d and %d', (value, low, high) => {
    expect(stepsAround(value)).toEqual({ low, high });
  });

  test('contain the amount, follow each other and never go down as the amount goes up', () => {
    fc.assert(
      fc.property(amount, amount, (one, other) => {
        const [less, more] = [stepsAround(Math.min(one, other)), stepsAround(Math.max(one, other))];
        expect(less.low <= more.low && less.high <= more.high).toBe(true);
        for (const { low, high } of [less, more]) expect(STEPS.indexOf(high) - STEPS.indexOf(low)).toBe(1);
        const own = stepsAround(one);
        expect(own.low <= one && one < own.high).toBe(true);
      }),
      RUNS,
    );
  });
});

describe('the range that most people used', () => {
  test('is the middle half, rounded outward', () => {
    expect(usualBandOf([90_000, 420_000, 500_000, 610_000, 700_000, 4_000_000], 5)).toEqual({
      low: 300_000,
      high: 1_000_000,
    });
  });

  test('contains both quartiles and more than half of the people', () => {
    fc.assert(
      fc.property(people, (amounts) => {
        const { low, high } = bandOf(amounts);
        expect(low <= quantile(amounts, 0.25) && quantile(amounts, 0.75) < high).toBe(true);
        expect(amounts.filter((one) => one >= low && one < high).length).toBeGreaterThan(amounts.length / 2);
      }),
      RUNS,
    );
  });

  test('is never one amount, and its ends are steps, so that they match no person’s figure unless it is a step itself', () => {
    fc.assert(
      fc.property(people, (amounts) => {
        const { low, high } = bandOf(amounts);
        expect(low).toBeLessThan(high);
        for (const end of [low, high]) expect(STEPS).toContain(end);
      }),
      RUNS,
    );
  });

  test('does not change when one person’s amount changes within its step', () => {
    const change = fc.tuple(people, fc.nat(), fc.double({ min: 0, max: 0.999, noNaN: true }));
    fc.assert(
      fc.property(change, ([amounts, index, part]) => {
        const place = index % amounts.length;
        const { low, high } = stepsAround(amounts[place] ?? 0);
        // Zero is no amount in a step: that person would no longer count.
        const changed = amounts.with(place, Math.max(low + part * (high - low), Number.MIN_VALUE));
        expect(bandOf(changed)).toEqual(bandOf(amounts));
      }),
      RUNS,
    );
  });

  test('does not go down when one person uses more', () => {
    fc.assert(
      fc.property(people, fc.nat(), amount, (amounts, index, more) => {
        const place = index % amounts.length;
        const [before, after] = [bandOf(amounts), bandOf(amounts.with(place, (amounts[place] ?? 0) + more))];
        expect(before.low <= after.low && before.high <= after.high).toBe(true);
      }),
      RUNS,
    );
  });

  test('needs five others with usage, even if MIN_GROUP is less, and as many as MIN_GROUP if it is more', () => {
    const used = (count: number) => Array.from({ length: count }, (_, index) => 1_000 * (index + 1));
    for (const minGroup of [1, 2, 5]) {
      expect(usualBandOf([...used(5), 0, 0, 0], minGroup)).toBeUndefined();
      expect(usualBandOf(used(6), minGroup)).toBeDefined();
    }
    expect(usualBandOf(used(10), 10)).toBeUndefined();
    expect(usualBandOf(used(11), 10)).toBeDefined();
    expect(usualBandOf([], 5)).toBeUndefined();
  });
});
