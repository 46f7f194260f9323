import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitDays, type NumberedAmount } from '../../../../src/core/figures/insight/day-model.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const numRuns = propertyRuns(300);
const FIRST = 20_000;

/** Eight weeks in which people work on all weekdays but some. */
const weeks = fc
  .record({
    off: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 2 }),
    base: fc.integer({ min: 10_000, max: 10_000_000 }),
    offShare: fc.double({ min: 0, max: 0.15, noNaN: true }),
    noise: fc.array(fc.double({ min: 0.9, max: 1.1, noNaN: true }), { minLength: 56, maxLength: 56 }),
  })
  .map(({ off, base, offShare, noise }) => ({
    off,
    base,
    days: noise.map((factor, at): NumberedAmount => {
      const dayNumber = FIRST + at;
      return { dayNumber, amount: base * factor * (off.includes(dayNumber % 7) ? offShare : 1) };
    }),
  }));

test('whichever weekdays are off, they are learned, and no calendar is assumed', () => {
  fc.assert(
    fc.property(weeks, ({ off, base, days }) => {
      const model = fitDays(days);
      expect(model.classes.map((one) => one === 'working')).toEqual(
        Array.from({ length: 7 }, (_, weekday) => !off.includes(weekday)),
      );
      const tomorrow = FIRST + 56;
      for (let weekday = 0; weekday < 7; weekday += 1) {
        const share = model.amountAt(model.levelAhead(tomorrow).level, weekday) / base;
        const [least, most] = off.includes(weekday) ? [0, 0.25] : [0.75, 1.25];
        expect(share).toBeGreaterThanOrEqual(least);
        expect(share).toBeLessThan(most);
      }
    }),
    { numRuns },
  );
});

test('amounts in another unit give the same amounts in that unit', () => {
  fc.assert(
    fc.property(weeks, fc.constantFrom(2, 10, 1_000), ({ days }, factor) => {
      const one = fitDays(days);
      const other = fitDays(days.map(({ dayNumber, amount }) => ({ dayNumber, amount: amount * factor })));
      expect(other.classes).toEqual(one.classes);
      expect(other.sigma).toBeCloseTo(one.sigma, 6);
      for (let weekday = 0; weekday < 7; weekday += 1) {
        const expected = one.amountAt(one.levelAhead(FIRST + 56).level, weekday);
        const found = other.amountAt(other.levelAhead(FIRST + 56).level, weekday) / factor;
        expect(Math.abs(found - expected)).toBeLessThanOrEqual(1e-6 * Math.max(1, expected));
      }
    }),
    { numRuns },
  );
});

test('days that are some weeks later are judged alike', () => {
  fc.assert(
    fc.property(weeks, fc.integer({ min: 1, max: 60 }), ({ days }, later) => {
      const one = fitDays(days);
      const other = fitDays(days.map(({ dayNumber, amount }) => ({ dayNumber: dayNumber + 7 * later, amount })));
      expect(other.classes).toEqual(one.classes);
      expect(other.errors).toEqual(one.errors);
      expect(other.sigma).toBe(one.sigma);
    }),
    { numRuns },
  );
});

test('any amounts, few or none, lead to finite expectations that are not negative', () => {
  const amounts = fc.array(
    fc.oneof(
      fc.constant(0),
      fc.constant(-5),
      fc.double({ min: 0, max: 1e12, noNaN: true }),
      fc.integer({ min: 0, max: 9 }),
    ),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 6 }), (all, weekday) => {
      const model = fitDays(all.map((amount, at) => ({ dayNumber: FIRST + at, amount })));
      const amount = model.amountAt(model.levelAhead(FIRST + all.length).level, weekday);
      expect(Number.isFinite(amount) && amount >= 0).toBe(true);
      expect(Number.isFinite(model.sigma) && model.errors.every(Number.isFinite)).toBe(true);
      expect(model.classes).toHaveLength(7);
    }),
    { numRuns },
  );
});
