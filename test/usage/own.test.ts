import { describe, expect, test } from 'vitest';
import { daysOf, plusDays, type Day } from '../../src/base/time/calendar.ts';
import { outlookOf } from '../../src/usage/own/own-outlook.ts';
import { ownLines, type OwnReport } from '../../src/usage/own/own-report.ts';
import { ownMonth } from '../../src/usage/own/own-view.ts';
import { markup, mrkdwnOf } from '../../src/base/text/markup.ts';
import { createNoise } from '../bench/calibration/noise.ts';

const report = (change: Partial<OwnReport> = {}): OwnReport => ({
  period: { first: '2026-11-01', last: '2026-11-20' },
  comparedWith: { first: '2026-10-01', last: '2026-10-20' },
  today: '2026-11-21',
  used: { value: 4_000_000, before: 2_000_000, was: 1_900_000 },
  all: 100_000_000,
  limit: { value: 5_000_000, setOn: '2026-11-03' },
  limitPeriod: 'month',
  days: Array.from({ length: 51 }, (_, day) => 200_000 + 10_000 * (day % 9)),
  weeks: [500_000, 1_000_000, 1_200_000, 1_300_000],
  usual: { week: { first: '2026-11-09', last: '2026-11-15' }, low: 300_000, high: 500_000 },
  ...change,
});

describe('the own month of a person', () => {
  test('is shown beside the previous month, the limit, and the range of most people', () => {
    expect(ownLines(report())).toEqual({
      point:
        '4 M credits, 100% more than on 1–20 Oct (1.9 M; adjusted for weekdays). 4% of the organization’s credits.',
      limit:
        'Limit: 5 M (set 3 Nov). At the pace of your last 4 weeks, you’ll reach it about Wed 25 Nov (likely 24–25 Nov).',
      trend: [
        'Your last 4 weeks, oldest first: 500 K, 1 M, 1.2 M, 1.3 M.',
        'Most people used 300–500 K in the week of Mon 9 Nov.',
      ],
      notes: ['The platform doesn’t say whether a limit was changed elsewhere.'],
    });
  });

  test.each([
    [undefined, 'Limit: 5 M (set 3 Nov). Weekly or monthly? An admin still has to say.'],
    ['week' as const, 'Limit: 5 M (set 3 Nov). It counts per week.'],
  ])('has no projection for a limit that counts over %s', (limitPeriod, sentence) => {
    expect(ownLines(report({ limitPeriod })).limit).toBe(sentence);
  });

  test('marks an unknown limit as not set here, without an assumption', () => {
    const { limit, notes } = ownLines(report({ limit: undefined }));
    expect([limit, notes]).toEqual(['Limit: unknown. Quartermaster knows only limits that were set here.', []]);
  });

  const useOf = (value: number, last: Day, days: readonly number[]) => ({
    period: { first: '2026-11-01', last },
    used: { value },
    days,
  });
  const evenDays = Array.from({ length: 51 }, () => 200_000);

  test.each([
    [4_000_000, evenDays, { kind: 'reached', on: '2026-11-25', earliest: '2026-11-25', latest: '2026-11-25' }],
    [5_000_000, evenDays, { kind: 'used_up' }],
    [5_000_001, evenDays, { kind: 'over' }],
    [
      1_000_000,
      evenDays,
      { kind: 'below', byEnd: 3_000_000, likely: { lower: 3_000_000, upper: 3_000_000 }, end: '2026-11-30' },
    ],
    [900_000, evenDays.slice(0, 10), { kind: 'open' }],
    [0, evenDays.map(() => 0), { kind: 'below', byEnd: 0, likely: undefined, end: '2026-11-30' }],
  ])('with %d used has its outlook', (value, days, outlook) => {
    expect(outlookOf(useOf(value, '2026-11-20', days), 5_000_000)).toEqual(outlook);
  });

  test('shows a limit of exactly the credits used as used up, and one below as exceeded', () => {
    const limitAt = (value: number) => ownLines(report({ used: { value } })).limit;
    expect(limitAt(5_000_000)).toBe('⚠️ Your limit of 5 M is used up this month (set 3 Nov).');
    expect(limitAt(8_400_000)).toBe('⚠️ Over your limit: 8.4 M of 5 M used this month (set 3 Nov).');
  });

  test('puts an exceeded limit first in App Home', () => {
    const lines = (value: number) => mrkdwnOf(markup`${ownMonth(report({ used: { value } }))[0]?.lines[0] ?? ''}`);
    expect(lines(8_400_000)).toMatch(/^⚠️ Over your limit/);
    expect(lines(4_000_000)).toMatch(/^\*4 M\* credits/);
  });

  const isWorkday = (day: Day) => new Date(day).getUTCDay() % 6 !== 0;
  const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

  test('of a person who works on workdays alone is right on any day', () => {
    for (const last of daysOf({ first: '2026-11-01', last: '2026-11-29' })) {
      const days = daysOf({ first: plusDays(last, -40), last }).map((day) => (isWorkday(day) ? 1_000 : 0));
      const soFar = sumOf(days.slice(-Number(last.slice(8))));
      // November 2026 has 21 workdays.
      expect(outlookOf(useOf(soFar, last, days), 1e9)).toMatchObject({ kind: 'below', byEnd: 21_000 });
    }
  });

  test.each(['2026-11-07', '2026-11-20'])('has a range on %s that about eight of ten people end in', (last) => {
    const noise = createNoise(7);
    const found = { inside: 0, off: 0, total: 0 };
    const people = 200;
    for (let person = 0; person < people; person += 1) {
      const all = daysOf({ first: '2026-10-01', last: '2026-11-30' }).map((day) =>
        isWorkday(day) && noise.uniform() < 0.75 ? 50_000 * Math.exp(0.8 * noise.normal()) : 0,
      );
      const total = sumOf(all.slice(31));
      const known = 31 + Number(last.slice(8));
      const outlook = outlookOf(useOf(sumOf(all.slice(31, known)), last, all.slice(0, known)), 1e12);
      if (outlook.kind !== 'below' || !outlook.likely) throw new Error(outlook.kind);
      found.inside += Number(outlook.likely.lower <= total && total <= outlook.likely.upper);
      found.off += outlook.byEnd - total;
      found.total += total;
    }
    expect(found.inside / people).toBeGreaterThan(0.74);
    expect(found.inside / people).toBeLessThan(0.88);
    expect(Math.abs(found.off / found.total)).toBeLessThan(0.03);
  });
});
