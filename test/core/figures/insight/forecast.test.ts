import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Part } from '../../../../src/core/analytics/day-facts.ts';
import type { CreditsRow } from '../../../../src/core/platform/endpoints/analytics-rows.ts';
import { PlatformError } from '../../../../src/core/platform/errors.ts';
import { daysOf, plusDays } from '../../../../src/core/base/time/calendar.ts';
import {
  forecastMonth as forecastFrom,
  forecastSentences,
  likelyWords,
} from '../../../../src/core/figures/insight/forecast.ts';

const READ_AT = new Date('2026-03-17T09:00:00Z');

/** Credits of the days from `first` on; `undefined` is an unpublished day. */
function creditsFrom(first: string, amounts: readonly (number | undefined)[]): Part<CreditsRow> {
  const rows = amounts.flatMap((billable_tokens, index) =>
    billable_tokens === undefined
      ? []
      : [
          {
            date: plusDays(first, index),
            billable_tokens,
            input_tokens: 0,
            output_tokens: 0,
            cache_read_tokens: 0,
            cache_write_tokens: 0,
            by_model: [],
          },
        ],
  );
  return { kind: 'read', rows, readAt: READ_AT };
}

/** 1,000 on working days, nothing on weekends; from Mon 2 February to Mon 16 March. */
const steady = daysOf({ first: '2026-02-02', last: '2026-03-16' }).map((day): number =>
  [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()) ? 0 : 1_000,
);

const withLast = (amounts: readonly number[], last: number) => [...amounts.slice(0, -1), last];

/** All known days are history. */
const forecastMonth = (credits: Part<CreditsRow>, today: string) => forecastFrom(credits, credits, today);

const threeMonths = daysOf({ first: '2026-02-02', last: '2026-05-04' }).map((day): number =>
  [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()) ? 0 : 1_000,
);

describe('the forecast of a month', () => {
  test.each([
    ['a holiday week', 0.05],
    ['a hack week', 3],
  ])('has about the same range after %s', (_, factor) => {
    const wobbly = threeMonths.map((amount, index) => Math.round(amount * (1 + 0.2 * Math.sin(1.7 * index))));
    // Mon 6 to Fri 10 April.
    const odd = wobbly.map((amount, index) => (index >= 63 && index < 68 ? Math.round(amount * factor) : amount));
    const reachOf = (amounts: readonly number[]) => {
      const forecast = forecastMonth(creditsFrom('2026-02-02', amounts), '2026-05-05');
      if (forecast.kind !== 'known' || !forecast.value.range) throw new Error('There is no range');
      return forecast.value.range.upper - forecast.value.expected;
    };
    expect(reachOf(odd) / reachOf(wobbly)).toBeGreaterThan(0.7);
    expect(reachOf(odd) / reachOf(wobbly)).toBeLessThan(1.3);
  });

  test('adds estimates by weekday to the published days', () => {
    // March 2026 has 22 working days, of which 11 are before the 17th.
    expect(forecastMonth(creditsFrom('2026-02-02', steady), '2026-03-17')).toMatchObject({
      kind: 'known',
      value: {
        period: { first: '2026-03-01', last: '2026-03-31' },
        soFar: 11_000,
        daysSoFar: 16,
        expected: expect.closeTo(22_000, 0),
        range: { lower: expect.closeTo(21_800, -2), upper: expect.closeTo(22_200, -2) },
        restsOn: { days: 43, first: '2026-02-02', last: '2026-03-16' },
      },
    });
  });

  test('counts fresh days with what such days rose by before, and says so', () => {
    const likelyAt = (share: number) => {
      const rows = creditsFrom('2026-02-02', withLast(steady, 1_000 * share));
      if (rows.kind !== 'read') throw new Error('It was read');
      const likely = { expected: 1_000, low: 900, high: 1_200 };
      return rows.rows.map((row) => (row.date === '2026-03-16' ? { ...row, likely } : row));
    };
    const forecast = forecastFrom(
      creditsFrom('2026-02-02', withLast(steady, 500)),
      { kind: 'read', rows: likelyAt(0.5), readAt: READ_AT },
      '2026-03-17',
    );
    expect(forecast).toMatchObject({ value: { soFar: 10_500, expected: expect.closeTo(22_000, 0), rise: 500 } });
    expect(forecastSentences(forecast)[1]).toBe(
      '10.5 K so far, on 16 days. The last of them will likely rise by 500, as such days did before. The rest is estimated from 43 days, 2 Feb – 16 Mar. In trials, about 8 of 10 months ended in the likely range.',
    );
  });

  test('believes a low fresh day where fresh days never rose', () => {
    const noisy = threeMonths.map((amount, index) => Math.round(amount * (1 + Math.sin(index * index) / 10)));
    const amounts = withLast(noisy, 100);
    const doubted = forecastMonth(creditsFrom('2026-02-02', amounts), '2026-05-05');
    const rows = amounts.map((billable_tokens, index) => {
      const date = plusDays('2026-02-02', index);
      const likely = { expected: billable_tokens, low: billable_tokens, high: billable_tokens };
      return { date, billable_tokens, ...(date === '2026-05-04' ? { likely } : {}) };
    });
    const credits = creditsFrom('2026-02-02', amounts);
    const believed = forecastFrom(credits, { kind: 'read', rows, readAt: READ_AT }, '2026-05-05');
    if (doubted.kind !== 'known' || believed.kind !== 'known') throw new Error('There is a forecast');
    expect(doubted.value.expected).toBeGreaterThan(believed.value.expected + 300);
  });

  test('names its value and its basis', () => {
    expect(forecastSentences(forecastMonth(creditsFrom('2026-02-02', steady), '2026-03-17'))).toEqual([
      'March 2026 is on track for about 22 K (likely 21.8–22.2 K).',
      '11 K so far, on 16 days. The rest is estimated from 43 days, 2 Feb – 16 Mar. In trials, about 8 of 10 months ended in the likely range.',
    ]);
  });

  test('has no likely range before there are five weeks', () => {
    const [later, five] = [16, 8].map((days) => {
      const credits = creditsFrom(plusDays('2026-02-02', days), steady.slice(days));
      return forecastSentences(forecastFrom(creditsFrom('2026-02-02', steady), credits, '2026-03-17'));
    });
    expect(later).toEqual([
      'March 2026 is on track for about 22 K.',
      '11 K so far, on 16 days. The rest is estimated from 27 days, 18 Feb – 16 Mar. That is too few for a likely range.',
    ]);
    expect(five?.[0]).toMatch(/^March 2026 is on track for about 22 K \(likely [\d.–]+ K\)\.$/);
  });

  test('gives the likely range in round figures', () => {
    const wild = threeMonths.map((amount, index) => amount * (1_000 + 500 * ((index * 7) % 5)));
    const [goes, basis] = forecastSentences(forecastMonth(creditsFrom('2026-02-02', wild), '2026-05-05'));
    expect(goes).toMatch(/^May 2026 is on track for about [\d.]+ M \(likely [\d.]+–[\d.]+ M\)\.$/);
    expect(basis).toMatch(/from 92 days, 2 Feb – 4 May\. In trials, about 8 of 10 months ended in the likely range\.$/);
    const [same] = forecastSentences(forecastMonth(creditsFrom('2026-02-02', threeMonths), '2026-05-05'));
    expect(same).toBe('May 2026 is on track for about 21 K (likely 20.9–21.1 K).');
    expect(likelyWords({ lower: 21_000.1, upper: 21_000.4 })).toBe(undefined);
  });

  test('is the same for any longer history', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 130, maxLength: 130 });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 92, max: 129 }), (values, days) => {
        const today = plusDays('2026-01-14', 130);
        const all = creditsFrom('2026-01-14', values);
        const some = creditsFrom(plusDays('2026-01-14', 130 - days), values.slice(-days));
        expect(forecastFrom(all, some, today)).toEqual(forecastFrom(all, all, today));
      }),
      { numRuns: 30 },
    );
  });

  test('treats a day that the batch has not delivered yet as a future day', () => {
    const late = [...steady.slice(0, -1), undefined];
    expect(forecastMonth(creditsFrom('2026-02-02', late), '2026-03-17')).toMatchObject({
      value: { soFar: 10_000, daysSoFar: 15, expected: expect.closeTo(22_000, 0) },
    });
  });

  test('is absent with less than 14 settled days', () => {
    const few = forecastMonth(
      creditsFrom(
        '2026-03-01',
        Array.from({ length: 16 }, () => 1_000),
      ),
      '2026-03-16',
    );
    expect(few).toEqual({ kind: 'too_few_days', settled: 13 });
    expect(forecastSentences(few)).toEqual(['No forecast yet: it needs 14 days with final figures, and there are 13.']);
  });

  test('is absent if the month has a gap', () => {
    const gap = [...steady.slice(0, 30), undefined, ...steady.slice(31)];
    const forecast = forecastMonth(creditsFrom('2026-02-02', gap), '2026-03-17');
    expect(forecast).toEqual({ kind: 'missing_days', days: ['2026-03-04'] });
    expect(forecastSentences(forecast)).toEqual(['No forecast: Wed 4 Mar isn’t published.']);
  });

  test('is absent without readable figures', () => {
    const fault = new PlatformError({ code: 'timeout', method: 'GET', path: '/x', detail: 'x' });
    expect(forecastMonth({ kind: 'unreadable', fault }, '2026-03-17')).toEqual({ kind: 'unreadable' });
  });

  test('does not read days before the first day of data', () => {
    const forecast = forecastMonth(
      creditsFrom(
        '2026-01-14',
        Array.from({ length: 17 }, () => 1_000),
      ),
      '2026-01-31',
    );
    expect(forecast).toMatchObject({
      kind: 'known',
      value: { period: { first: '2026-01-14' }, expected: expect.closeTo(18_000, -1) },
    });
  });

  test('lies between its ends, and both are beyond the credits already used', () => {
    const amount = fc.oneof(
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.constantFrom(0, 0.04, 1e16, -500),
      fc.double({ min: 0, max: 10, noNaN: true }),
    );
    const amounts = fc.array(amount, { minLength: 92, maxLength: 92 });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 29 }), (values, later) => {
        const today = plusDays('2026-05-01', later);
        const forecast = forecastMonth(creditsFrom(plusDays(today, -92), values), today);
        if (forecast.kind !== 'known') throw new Error(forecast.kind);
        const { range, expected, soFar } = forecast.value;
        const ascending = range ? [soFar, range.lower, expected, range.upper] : [soFar, expected];
        expect(ascending.filter((one) => !Number.isFinite(one))).toEqual([]);
        expect(ascending).toEqual(ascending.toSorted((a, b) => a - b));
      }),
    );
  });
});
