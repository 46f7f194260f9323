import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysOf, dayNumberOf } from '../../../../src/core/base/time/calendar.ts';
import { sumAhead } from '../../../../src/core/figures/insight/month-end.ts';
import { measureMonths } from '../../../bench/calibration/months/measure.ts';
import { createNoise } from '../../../bench/calibration/noise.ts';
import { monthLines } from '../../../bench/calibration/months/report.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

// A few organizations of each world; `npm run bench -- --only calibration` judges hundreds, with new seeds each time.
test('months end in the likely range about eight of ten times, even after steps and with a surge at their end', () => {
  const lines = monthLines(measureMonths(4, 3));
  const all = lines.filter(({ name }) => name === 'all worlds');
  expect(all.map(({ daysLeft }) => daysLeft)).toEqual([25, 15, 5, 1]);
  for (const { inside, withRange, ratioToBest } of all) {
    // For two weeks after a step there is none.
    expect(withRange).toBeGreaterThan(85);
    expect(inside).toBeGreaterThan(72);
    expect(inside).toBeLessThan(92);
    expect(ratioToBest).toBeLessThan(1.03);
  }
  const surges = lines.filter(({ name, daysLeft }) => name === 'surge at month end' && daysLeft <= 5);
  for (const { inside, ratioToBest } of surges) {
    expect(inside).toBeGreaterThan(60);
    expect(ratioToBest).toBeLessThan(0.9);
  }
});

test('a third month end may be much smaller or larger than two that were alike', () => {
  const amounts = daysOf({ first: '2026-03-02', last: '2026-05-26' }).map((day) => {
    const isWorkday = ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
    const surge =
      day === '2026-03-31' || day === '2026-03-30' ? 2 : day === '2026-04-30' || day === '2026-04-29' ? 2.6 : 1;
    return isWorkday ? 1_000 * surge : 0;
  });
  // An ordinary Wednesday, the last two workdays of May, and a weekend.
  const range = sumAhead(amounts, dayNumberOf('2026-03-02'), 0, 5)?.range;
  if (typeof range !== 'object' || !('lower' in range)) throw new Error('There is no range');
  expect(range.lower).toBeLessThan(1_000 + 2 * 1_500);
  expect(range.upper).toBeGreaterThan(1_000 + 2 * 3_200);
});

test('growth that began five weeks ago is continued', () => {
  const errors = Array.from({ length: 40 }, (_, seed) => {
    const noise = createNoise(seed);
    const amounts = Array.from({ length: 13 * 7 + 21 }, (__, place) => {
      const growth = 1 + 0.04 * Math.max(0, place - 8 * 7);
      return place % 7 > 4 ? 0 : 1_000 * growth * Math.exp(0.1 * noise.normal());
    });
    const total = amounts.slice(-21).reduce((sum, one) => sum + one, 0);
    const expected = sumAhead(amounts.slice(0, -21), dayNumberOf('1970-01-05'), 0, 21)?.expected ?? 0;
    return expected / total - 1;
  });
  expect(Math.abs(errors.reduce((sum, one) => sum + one, 0) / errors.length)).toBeLessThan(0.12);
});

test('days off of a level that may not last are no part of the level before', () => {
  const week = [1_000, 1_000, 1_000, 1_000, 1_000, 400, 0];
  const amounts = Array.from(
    { length: 10 * 7 - 1 },
    (_, place) => (place < 9 * 7 + 2 ? 1 : 50) * (week[place % 7] ?? 0),
  );
  // Three workdays at fifty times the level are believed to three fifths. The Saturday after them is known no better.
  const expected = sumAhead(amounts, dayNumberOf('1970-01-05'), 1, 7)?.expected ?? 0;
  expect(expected / (5_400 * (1 + (3 / 5) * 49))).toBeGreaterThan(0.9);
  expect(expected / (5_400 * (1 + (3 / 5) * 49))).toBeLessThan(1.1);
});

const level = fc.oneof(
  fc.constant(0),
  fc.double({ min: 0, max: 8, noNaN: true }).map((power) => 10 ** power),
);
const stretch = (minLength: number, maxLength: number) =>
  fc
    .tuple(level, fc.array(fc.double({ min: 0.3, max: 3, noNaN: true }), { minLength, maxLength }))
    .map(([one, days]) => days.map((day) => Math.round(one * day)));
/** Levels that may have nothing to do with each other, the last of them only for some days; any days of a week are off. */
const organization = fc
  .tuple(
    stretch(14, 40),
    fc.array(stretch(5, 20), { maxLength: 2 }),
    stretch(1, 7),
    fc.array(fc.constantFrom(1, 1, 0.4, 0), { minLength: 7, maxLength: 7 }),
  )
  .map(([first, others, last, week]) =>
    [first, ...others, last].flat().map((amount, place) => Math.round(amount * (week[place % 7] ?? 1))),
  );

test('whatever the days were, the days ahead are at most twice as busy as the busiest week', () => {
  fc.assert(
    fc.property(
      organization,
      fc.integer({ min: 0, max: 2 }),
      fc.integer({ min: 1, max: 31 }),
      (amounts, skipped, count) => {
        const { expected, range } = sumAhead(amounts, dayNumberOf('2026-06-01'), skipped, count) ?? {
          expected: Number.NaN,
        };
        const upper = typeof range === 'object' && 'upper' in range ? range.upper : expected;
        const weeks = amounts.map((_, place) => amounts.slice(place, place + 7).reduce((sum, one) => sum + one, 0));
        const most = 2 * Math.max(...weeks) * Math.ceil(count / 7);
        expect(expected).toBeGreaterThanOrEqual(0);
        expect(expected).toBeLessThanOrEqual(most);
        expect(upper).toBeLessThanOrEqual(most);
      },
    ),
    { numRuns: propertyRuns(4_000), examples: [[[...Array.from({ length: 18 }, () => 0), 1, 0], 0, 13]] },
  );
});
