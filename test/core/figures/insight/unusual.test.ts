import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plusDays } from '../../../../src/core/base/time/calendar.ts';
import { USUAL_DAYS } from '../../../../src/core/analytics/period.ts';
import { judgeDay, unusualDays, usualRange } from '../../../../src/core/figures/insight/unusual.ts';

const TUESDAY = '2026-04-07';
/** Amounts of the days up to TUESDAY, the last of them its own. */
const daysTo = (amounts: readonly number[]) =>
  amounts.map((amount, index) => ({ day: plusDays(TUESDAY, index + 1 - amounts.length), amount }));
/** Returns this number of days, every other one a tenth above the one before. */
const varied = (count: number, level = 400_000) =>
  Array.from({ length: count }, (_, index) => level * (index % 2 === 0 ? 1 : 1.1));
const judge = (before: readonly number[], amount: number) =>
  judgeDay(daysTo([...before, amount]), { day: TUESDAY, amount });

describe('an unusual day', () => {
  test('is shown with the usual amount of its weekday', () => {
    const before = Array.from({ length: USUAL_DAYS }, (_, index) => (index % 7 === USUAL_DAYS % 7 ? 410_000 : 200_000));
    const noisy = before.map((amount, index) => amount * (index % 2 === 0 ? 1.02 : 0.98));
    const judgement = judge(noisy, 598_000);
    expect(judgement).toMatchObject({ kind: 'unusual', direction: 'high' });
    expect(judgement.kind === 'unusual' && judgement.sentence).toMatch(
      /^Tue 7 Apr was unusually high: 598 K instead of the usual 4\d\d K for a Tuesday$/,
    );
    expect(judge(noisy, 100_000)).toMatchObject({ direction: 'low' });
    expect(judge(noisy, 410_000)).toEqual({ kind: 'usual' });
  });

  test('is one at more than five times the busiest day before, however little the days resemble each other', () => {
    const sparse = Array.from({ length: USUAL_DAYS }, (_, index) => (index % 3 === 0 ? 10 ** (index % 8) : 0));
    const range = usualRange(daysTo([...sparse, 0]), TUESDAY);
    expect(range?.high).toBe(5 * 10 ** 7);
    expect(judge(sparse, 5 * 10 ** 7 + 1)).toMatchObject({ kind: 'unusual', direction: 'high' });
  });

  test('needs four earlier days of the same weekday', () => {
    expect(judge(varied(27), 4_000_000)).toEqual({ kind: 'unknown', day: TUESDAY });
    expect(judge(varied(28), 4_000_000).kind).toBe('unusual');
    const otherDays = daysTo(varied(USUAL_DAYS)).filter((_, index) => (USUAL_DAYS - 1 - index) % 7 !== 0);
    expect(judgeDay(otherDays, { day: TUESDAY, amount: 9_999_999 })).toEqual({ kind: 'unknown', day: TUESDAY });
  });

  test.each([
    ['half as much more is usual', 30_000, 'usual'],
    ['more than that is unusual', 31_000, 'unusual'],
    ['no usage is unusual', 0, 'unusual'],
  ])('is judged after identical days: %s', (_, amount, kind) => {
    expect(judge(Array(35).fill(20_000), amount).kind).toBe(kind);
  });

  test('is not caused by a few credits', () => {
    expect(judge(Array(35).fill(0), 999).kind).toBe('usual');
    expect(judge(Array(35).fill(0), 1_000).kind).toBe('unusual');
  });

  test('is not caused by a tiny difference after nearly identical days', () => {
    const before = Array.from({ length: 35 }, (_, index) => 100_000 + (index % 3));
    expect(judge(before, 105_000).kind).toBe('usual');
  });

  test('is not caused by a team that grows as before', () => {
    const growing = Array.from(
      { length: USUAL_DAYS + 1 },
      (_, index) => 400_000 * 1.03 ** (index / 7) * (index % 2 === 0 ? 1 : 1.1),
    );
    expect(judge(growing.slice(0, -1), growing.at(-1) ?? 0).kind).toBe('usual');
  });

  const amount = fc.integer({ min: 50_000, max: 200_000 });
  const before = fc.array(amount, { minLength: USUAL_DAYS, maxLength: USUAL_DAYS });

  test('is judged by the same days, whatever else was read', () => {
    fc.assert(
      fc.property(fc.array(amount, { minLength: 40, maxLength: 40 }), before, amount, (older, days, today) => {
        const later = { day: plusDays(TUESDAY, 1), amount: 9_999_999 };
        const all = daysTo([...older, ...days, today]);
        expect(judgeDay([later, ...all.toReversed()], { day: TUESDAY, amount: today })).toEqual(judge(days, today));
      }),
    );
  });

  test('is found even if an earlier day was unusual too', () => {
    fc.assert(
      fc.property(before, fc.nat(USUAL_DAYS - 1), fc.constantFrom(0, 0.05, 20, 1_000), (days, at, factor) => {
        const wild = days.map((value, index) => (index === at ? value * factor : value));
        expect(judge(wild, 2_000_000)).toMatchObject({ kind: 'unusual', direction: 'high' });
      }),
    );
  });

  test.each([20, 1_000])('is found on a day off even if one day off had %i times its use', (factor) => {
    const isOff = (index: number) => (USUAL_DAYS - index) % 7 === 0;
    const days = varied(USUAL_DAYS).map((amount, index) => (isOff(index) ? amount / 10 : amount));
    const wild = days.map((amount, index) => (index === USUAL_DAYS - 21 ? amount * factor : amount));
    expect(judge(wild, 1_200_000)).toMatchObject({ kind: 'unusual', direction: 'high' });
    expect(judge(wild, 44_000)).toEqual({ kind: 'usual' });
  });

  test('is found on a day off whose use was steady, however much workdays vary', () => {
    const factors = [0.6, 1.5, 0.9, 1.7, 0.7, 1.2, 1];
    const days = Array.from({ length: USUAL_DAYS }, (_, index) =>
      (USUAL_DAYS - index) % 7 <= 1 ? 4_000 * (1 + (index % 3) / 10) : 400_000 * (factors[((index * 5) % 11) % 7] ?? 1),
    );
    expect(judge(days, 160_000)).toMatchObject({ kind: 'unusual', direction: 'high' });
    expect(judge(days, 8_000)).toEqual({ kind: 'usual' });
  });

  test('stays unusual if it is further from the range, and a usual day stays usual if it is closer', () => {
    fc.assert(
      fc.property(before, amount, fc.double({ min: 1, max: 50, noNaN: true }), (days, today, factor) => {
        const one = judge(days, today);
        if (one.kind !== 'unusual') return;
        const further = one.direction === 'high' ? today * factor : today / factor;
        expect(judge(days, further)).toMatchObject({ kind: 'unusual', direction: one.direction });
      }),
    );
  });

  test('is searched for within its period only, first to last, and so is a day that cannot be judged', () => {
    const before = varied(USUAL_DAYS);
    const days = daysTo([...before, ...varied(6), 4_000_000, ...varied(6), 4_000_000]);
    const first = plusDays(TUESDAY, -7);
    expect(unusualDays(days, days, { first, last: TUESDAY }).unusual.map(({ day }) => day)).toEqual([first, TUESDAY]);
    const between = { first: plusDays(first, 1), last: plusDays(TUESDAY, -1) };
    expect(unusualDays(days, days, between)).toMatchObject({ unusual: [], unknown: [] });
    const oldest = days[0]?.day ?? '';
    expect(unusualDays(days, days, { first: oldest, last: oldest })).toMatchObject({ unusual: [], unknown: [oldest] });
  });
});
