import { describe, expect, test } from 'vitest';
import { daysOf, dayNumberOf } from '../../../../src/core/base/time/calendar.ts';
import { sumAhead } from '../../../../src/core/figures/insight/month-end.ts';
import { measureMonths } from '../../../bench/calibration/months/measure.ts';
import { createNoise } from '../../../bench/calibration/noise.ts';
import { monthLines } from '../../../bench/calibration/months/report.ts';

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

test('six weeks of figures are enough for a range that holds about eight of ten times, unless month ends surge', () => {
  const cells = measureMonths(8, 3, 42).filter(({ world }) => !/surge|mixed/.test(world));
  const inside = cells.reduce((sum, cell) => sum + cell.inside, 0);
  const ranges = cells.reduce((sum, cell) => sum + cell.ranges, 0);
  expect(ranges / cells.reduce((sum, { months }) => sum + months, 0)).toBeGreaterThan(0.85);
  expect(inside / ranges).toBeGreaterThan(0.75);
  expect(inside / ranges).toBeLessThan(0.88);
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

describe('a step that begins with a day off', () => {
  const week = [1_000, 1_000, 1_000, 1_000, 1_000, 400, 0];
  const daysFrom = (count: number, stepAt: number) =>
    Array.from({ length: count }, (_, place) => (place < stepAt ? 1 : 50) * (week[place % 7] ?? 0));
  const expectedWeek = (amounts: readonly number[]) =>
    sumAhead(amounts, dayNumberOf('1970-01-05'), 0, 7)?.expected ?? 0;

  test('and may not last is counted as far as it will last', () => {
    // Four workdays at fifty times the level are believed to two thirds. The Saturday before them is known no better.
    const expected = 5_400 * (1 + (4 / 6) * 49);
    expect(expectedWeek(daysFrom(10 * 7 + 4, 10 * 7 - 2)) / expected).toBeGreaterThan(0.9);
    expect(expectedWeek(daysFrom(10 * 7 + 4, 10 * 7 - 2)) / expected).toBeLessThan(1.1);
  });

  test('and ends with one is counted as far as it will last', () => {
    const expected = 5_400 * (1 + (3 / 5) * 49);
    expect(expectedWeek(daysFrom(10 * 7 - 1, 9 * 7 + 2)) / expected).toBeGreaterThan(0.9);
    expect(expectedWeek(daysFrom(10 * 7 - 1, 9 * 7 + 2)) / expected).toBeLessThan(1.1);
  });

  test('and lasts does not widen the range: the days off before it are not raised with its level', () => {
    const uneven = daysFrom(13 * 7, 10 * 7 - 2).map((amount, place) =>
      Math.round(amount * (1 + 0.1 * Math.sin(place ** 2))),
    );
    const { expected = 0, range } = sumAhead(uneven, dayNumberOf('1970-01-05'), 0, 14) ?? {};
    expect(expected / (2 * 50 * 5_400)).toBeCloseTo(1, 1);
    expect(range).toEqual({ lower: expect.closeTo(0.95 * expected, -5), upper: expect.closeTo(1.05 * expected, -5) });
  });
});
