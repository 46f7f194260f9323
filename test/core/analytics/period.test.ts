import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { comparedPeriod, hasSameWeekdays, weekdayWeights, cutToExisting } from '../../../src/core/analytics/period.ts';
import { daysOf, lengthOf, plusDays, type Day, type Period } from '../../../src/core/base/time/calendar.ts';
import { readPeriod } from '../../../src/core/base/time/read-period.ts';
import { coveredNow } from '../../../src/features/digests/core/coverage.ts';

const FIRST = '2026-01-14';
const DAYS = 730;

const offsets = fc.integer({ min: 0, max: DAYS });

/** 100 credits on each working day and 20 on each day of a weekend, for ever. */
const sameEachWeek = (day: Day) => ([0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()) ? 20 : 100);

function changeOf(period: Period, comparedWith: Period, creditsOn: (day: Day) => number): number {
  const weightOf = weekdayWeights(period, comparedWith);
  const now = daysOf(period).reduce((sum, day) => sum + creditsOn(day), 0);
  const before = daysOf(comparedWith).reduce((sum, day) => sum + creditsOn(day) * weightOf(day), 0);
  return now / before - 1;
}

describe('the period of comparison', () => {
  test('has the same length and the same weekdays, and lies between the first figures and the period', () => {
    fc.assert(
      fc.property(offsets, fc.integer({ min: 1, max: 100 }), (offset, length) => {
        const first = plusDays(FIRST, offset);
        const period = { first, last: plusDays(first, length - 1) };
        const before = comparedPeriod(period);
        const isSound =
          before === undefined
            ? plusDays(period.first, -7 * Math.ceil(length / 7)) < FIRST
            : lengthOf(before) === length &&
              lengthOf({ first: before.first, last: period.first }) % 7 === 1 &&
              hasSameWeekdays(period, before) &&
              before.last < period.first &&
              before.first >= FIRST;
        expect(isSound).toBe(true);
      }),
    );
  });

  test('is the previous month for a month, whole or up to the same day', () => {
    expect(comparedPeriod({ first: '2026-03-01', last: '2026-03-31' }, 'month')).toEqual({
      first: '2026-02-01',
      last: '2026-02-28',
    });
    expect(comparedPeriod({ first: '2026-04-01', last: '2026-04-12' }, 'month')).toEqual({
      first: '2026-03-01',
      last: '2026-03-12',
    });
    expect(comparedPeriod({ first: '2026-03-01', last: '2026-03-30' }, 'month')).toEqual({
      first: '2026-02-01',
      last: '2026-02-28',
    });
    expect(comparedPeriod({ first: '2026-02-01', last: '2026-02-28' }, 'month')).toBeUndefined();
  });

  test('is the same weekdays of the previous week for a month that has not had each weekday yet', () => {
    expect(comparedPeriod({ first: '2026-04-01', last: '2026-04-03' }, 'month')).toEqual({
      first: '2026-03-25',
      last: '2026-03-27',
    });
  });
});

const phrases = ['yesterday', '7d', '14d', '28d', '5d', 'this week', 'last week', 'this month', 'last month', '90d'];
const cadences = ['daily', 'weekdays', 'weekly', 'monthly'] as const;

/** Every period that commands and digests use, on every day of two years. */
function* everyComparison(): Generator<{ period: Period; comparedWith: Period }> {
  for (let offset = 0; offset < DAYS; offset += 1) {
    const today = plusDays('2026-06-01', offset);
    for (const phrase of phrases) {
      const requested = readPeriod(phrase.split(' '), today)?.requested;
      const existing = requested && cutToExisting(requested, today);
      if (!requested || existing?.kind !== 'exists') continue;
      const comparedWith = comparedPeriod(existing.period, requested.unit);
      if (comparedWith) yield { period: existing.period, comparedWith };
    }
    for (const cadence of cadences) {
      const period = coveredNow(cadence, new Date(`${today}T09:00:00Z`));
      const comparedWith = period && comparedPeriod(period, cadence === 'monthly' ? 'month' : undefined);
      if (period && comparedWith) yield { period, comparedWith };
    }
  }
}

describe('a comparison', () => {
  test('says “same” if each week is like the one before, for every kind of period on every day of two years', () => {
    let count = 0;
    let largest = 0;
    for (const { period, comparedWith } of everyComparison()) {
      count += 1;
      largest = Math.max(largest, Math.abs(changeOf(period, comparedWith, sameEachWeek)));
    }
    expect(count).toBeGreaterThan(DAYS * 10);
    expect(largest).toBeLessThan(1e-9);
  });

  test('of steadily growing weeks shows the growth of as many weeks as lie between', () => {
    const growth = 0.05;
    const growing = (day: Day) =>
      sameEachWeek(day) * (1 + growth) ** Math.floor((lengthOf({ first: '2025-12-29', last: day }) - 1) / 7);
    fc.assert(
      fc.property(offsets, fc.integer({ min: 1, max: 42 }), (offset, length) => {
        const first = plusDays('2026-06-01', offset);
        const period = { first, last: plusDays(first, length - 1) };
        const comparedWith = comparedPeriod(period);
        const weeks = Math.ceil(length / 7);
        const change = comparedWith && changeOf(period, comparedWith, growing);
        expect(change).toBeCloseTo((1 + growth) ** weeks - 1, 9);
      }),
    );
  });
});
