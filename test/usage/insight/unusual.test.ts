import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plusDays } from '../../../src/calendar.ts';
import { isUsual, judgeDay, unusualDays } from '../../../src/usage/insight/unusual.ts';

/** Amounts on Tuesdays, the last of them on 24 February 2026. */
const tuesdays = (...amounts: number[]) =>
  amounts.map((amount, index) => ({ day: plusDays('2026-02-24', 7 * (index + 1 - amounts.length)), amount }));
const judge = (...amounts: number[]) => judgeDay(tuesdays(...amounts), '2026-02-24');

describe('an unusual day', () => {
  test('is told with what is usual for its weekday', () => {
    expect(judge(400_000, 420_000, 390_000, 430_000, 598_000)).toMatchObject({
      kind: 'unusual',
      direction: 'high',
      usual: 410_000,
      sentence: 'Tue 24 Feb was unusually high: 598,000 against a usual 410,000 for a Tuesday',
    });
    expect(judge(400_000, 420_000, 390_000, 430_000, 100_000)).toMatchObject({ direction: 'low' });
  });

  test('needs four of the same weekday before it', () => {
    expect(judge(10, 10, 10, 1_000_000)).toEqual({ kind: 'unknown' });
    expect(judge(10, 10, 10, 10, 1_000_000).kind).toBe('unusual');
    const otherDays = tuesdays(10, 10, 10, 10).map(({ day, amount }) => ({ day: plusDays(day, 1), amount }));
    expect(judgeDay([...otherDays, { day: '2026-02-24', amount: 9_999 }], '2026-02-24')).toEqual({ kind: 'unknown' });
  });

  test('is not known while it is not published', () => {
    expect(judgeDay(tuesdays(10, 10, 10, 10), '2026-03-03')).toEqual({ kind: 'unknown' });
    expect(isUsual(tuesdays(10, 10, 10, 10), '2026-03-03')).toBe(false);
  });

  test.each([
    ['half as much again is usual', 30_000, 'usual'],
    ['more than that is not', 31_000, 'unusual'],
    ['nothing at all is not', 0, 'unusual'],
  ])('where the days before were all the same, %s', (_, amount, kind) => {
    expect(judge(20_000, 20_000, 20_000, 20_000, amount).kind).toBe(kind);
  });

  test('is not made of a few credits', () => {
    expect(judge(0, 0, 0, 0, 999).kind).toBe('usual');
    expect(judge(0, 0, 0, 0, 1_000).kind).toBe('unusual');
  });

  test('is not a hair’s breadth where the days before hardly differed', () => {
    expect(judge(100_000, 100_001, 100_002, 100_001, 105_000).kind).toBe('usual');
  });

  test('follows the modified z-score of the same weekdays', () => {
    const amount = fc.integer({ min: 0, max: 100_000 });
    fc.assert(
      fc.property(fc.array(amount, { minLength: 4, maxLength: 12 }), amount, (before, today) => {
        const middle = (values: number[]) => {
          const sorted = values.toSorted((a, b) => a - b);
          const half = sorted.length / 2;
          return Number.isInteger(half)
            ? ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2
            : (sorted[Math.floor(half)] ?? 0);
        };
        const usual = middle(before);
        const spread = middle(before.map((value) => Math.abs(value - usual)));
        const change = Math.abs(today - usual);
        const isUnusual =
          spread === 0
            ? change > usual / 2 && change >= 1_000
            : (0.6745 * change) / spread > 3.5 && change > usual * 0.1;
        expect(judge(...before, today).kind).toBe(isUnusual ? 'unusual' : 'usual');
      }),
    );
  });

  test('is found in its period only, first to last', () => {
    const days = tuesdays(10_000, 10_000, 10_000, 10_000, 90_000, 10_000, 0);
    expect(unusualDays(days, { first: '2026-02-10', last: '2026-02-24' }).map(({ day }) => day)).toEqual([
      '2026-02-10',
      '2026-02-24',
    ]);
    expect(unusualDays(days, { first: '2026-02-11', last: '2026-02-23' })).toEqual([]);
  });
});
