import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayNumberOf } from '../../../../src/core/base/time/calendar.ts';
import { sumAhead } from '../../../../src/core/figures/insight/month-end.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

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

const noUse = (length: number) => Array.from({ length }, () => 0);

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
    {
      numRuns: propertyRuns(4_000),
      examples: [
        [[...noUse(18), 1, 0], 0, 13],
        [noUse(69), 0, 1],
      ],
    },
  );
});
