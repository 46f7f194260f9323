import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { daysOf, plusDays, type Day } from '../../../src/core/base/time/calendar.ts';
import { decideLimitCourse, limitLine } from '../../../src/features/own/own-limit.ts';
import { type LimitFacts, type OwnReport, ownLines } from '../../../src/features/own/own-report.ts';
import { outlookOf, type OwnUse } from '../../../src/features/own/own-outlook.ts';
import { markup, mrkdwnOf } from '../../../src/core/base/text/markup.ts';
import { declaredLimit, knownLimit, NO_LIMIT } from '../../support/limits/known-limit.ts';
import { createNoise } from '../../bench/calibration/noise.ts';

const evenDays = Array.from({ length: 51 }, () => 200_000);
const NOVEMBER = { first: '2026-11-01', last: '2026-11-30' };
const LIMIT = knownLimit(5_000_000);

const useOf = (used: number, through: Day, days: readonly number[]): OwnUse => ({
  period: NOVEMBER,
  through,
  used,
  days,
});

const report = (change: Partial<OwnReport> = {}): OwnReport => ({
  period: { first: '2026-11-01', last: '2026-11-20' },
  comparedWith: { first: '2026-10-01', last: '2026-10-20' },
  today: '2026-11-21',
  used: { value: 4_000_000, before: 2_000_000, was: 1_900_000 },
  all: 100_000_000,
  limit: { limit: LIMIT, countsOver: 'month', use: useOf(4_000_000, '2026-11-20', evenDays) },
  weeks: [500_000, 1_000_000, 1_200_000, 1_300_000],
  usual: { week: { first: '2026-11-09', last: '2026-11-15' }, low: 300_000, high: 500_000 },
  ...change,
});

const READER = { slackId: 'U0MIA', admins: ['U0ADA', 'U0BEN'], today: '2026-11-21' };

const oneSection = z.tuple([z.object({ text: z.object({ text: z.string() }) })]);

const lineOf = (facts: LimitFacts, reader = READER) => {
  const { blocks, lines } = limitLine(decideLimitCourse(facts), reader);
  return {
    drawn: oneSection.parse(blocks)[0].text.text,
    aloud: lines.map((line) => mrkdwnOf(markup`${line}`)).join('\n'),
  };
};
const monthly = (use: OwnUse): LimitFacts => ({ limit: LIMIT, countsOver: 'month', use });
const unevenDays = Array.from({ length: 51 }, (_, day) => 200_000 + 40_000 * (day % 9));

describe('the own month of a person', () => {
  test('is shown beside the previous month and the range of most people', () => {
    expect(ownLines(report())).toEqual({
      point:
        '4 M credits, 100% more a day than on 1–20 Oct (1.9 M; adjusted for weekdays). 4% of the organization’s credits.',
      trend: [
        'Your last 4 weeks, oldest first: 500 K, 1 M, 1.2 M, 1.3 M.',
        'Most people used 300–500 K in the week of Mon 9 Nov.',
      ],
      notes: ['Limit set 3 Nov. The platform doesn’t say whether it was changed elsewhere.'],
    });
  });
});

describe('“Will I run out?”', () => {
  test.each([
    [
      'a limit that is reached on a day that is nearly certain',
      monthly(useOf(4_250_000, '2026-11-20', evenDays)),
      '████████░░ *4.25 M of your 5 M* this month · at this pace you reach it on 24 Nov',
    ],
    [
      'a limit that is reached within a range of days',
      monthly(useOf(3_200_000, '2026-11-20', unevenDays)),
      '██████░░░░ *3.2 M of your 5 M* this month · at this pace you reach it on 26 Nov (likely 25–27 Nov)',
    ],
    [
      'a limit that lasts',
      monthly(useOf(700_000, '2026-11-20', unevenDays)),
      '█░░░░░░░░░ *700 K of your 5 M* this month · at this pace it lasts until the end of the month (likely 3.56–4.91 M by then)',
    ],
    [
      'a limit that a person without use in the last weeks would reach at the pace before',
      monthly(useOf(4_200_000, '2026-11-20', [...evenDays.slice(0, -12), ...Array.from({ length: 12 }, () => 0)])),
      '████████░░ *4.2 M of your 5 M* this month · no use in the last 12 days: if it stays so, it lasts until the end of the month',
    ],
    [
      'a limit that a person reaches if a day without use was the only one',
      monthly(useOf(4_200_000, '2026-11-20', [...evenDays.slice(0, -1), 0])),
      '████████░░ *4.2 M of your 5 M* this month · no use in the last day, so too little is known for a forecast',
    ],
    [
      'a limit that is about as much as the pace',
      monthly(
        useOf(
          900_000,
          '2026-11-20',
          unevenDays.map((amount) => 1.13 * amount),
        ),
      ),
      '█░░░░░░░░░ *900 K of your 5 M* this month · too close to say: likely 4.13–5.66 M by the end',
    ],
    [
      'a limit of a person who is back from four weeks away',
      monthly(
        useOf(1_000_000, '2026-11-20', [
          ...evenDays.slice(0, 23),
          ...Array.from({ length: 23 }, () => 0),
          ...evenDays.slice(0, 5),
        ]),
      ),
      '██░░░░░░░░ *1 M of your 5 M* this month · at this pace it lasts until the end of the month (likely 2.78–3.19 M by then)',
    ],
    [
      'a limit that is used up',
      monthly(useOf(5_000_000, '2026-11-20', evenDays)),
      '██████████ ⚠️ Your limit is used up: *5 M of 5 M* this month',
    ],
    [
      'a limit that is exceeded',
      monthly(useOf(8_400_000, '2026-11-20', evenDays)),
      '██████████ ⚠️ Over your limit: *8.4 M of 5 M* this month',
    ],
    [
      'the first days of a person',
      monthly(useOf(900_000, '2026-11-20', evenDays.slice(0, 10))),
      '█░░░░░░░░░ *900 K of your 5 M* this month · too few days for a forecast',
    ],
    [
      'a weekly limit on a Monday, when no day of the week is published',
      {
        limit: LIMIT,
        countsOver: 'week' as const,
        use: { ...useOf(0, '2026-11-22', evenDays), period: { first: '2026-11-23', last: '2026-11-29' } },
      },
      '*This week:* no figures yet. At your recent pace, your 5 M is enough (likely 1.34–1.46 M).',
    ],
    [
      'a limit on the first day of a month',
      {
        limit: LIMIT,
        countsOver: 'month' as const,
        use: { ...useOf(0, '2026-11-30', unevenDays), period: { first: '2026-12-01', last: '2026-12-31' } },
      },
      '*December:* no figures yet. At your recent pace, you reach your 5 M on 15 Dec (likely 12–18 Dec).',
    ],
    [
      'a temporary raise on the first day of a month that the recent pace exceeds',
      {
        limit: knownLimit(800_000, { permanent: 500_000, until: new Date('2026-12-19T00:00:00Z') }),
        countsOver: 'month' as const,
        use: { ...useOf(0, '2026-11-30', unevenDays), period: { first: '2026-12-01', last: '2026-12-31' } },
      },
      '*December:* no figures yet. At your recent pace, you reach your 800 K (until 19 Dec, then 500 K) on 3 Dec (likely 2–4 Dec).',
    ],
    [
      'a limit that is enough for the month that begins',
      {
        limit: knownLimit(20_000_000),
        countsOver: 'month' as const,
        use: { ...useOf(0, '2026-11-30', unevenDays), period: { first: '2026-12-01', last: '2026-12-31' } },
      },
      '*December:* no figures yet. At your recent pace, your 20 M is enough (likely 8.77–13.4 M).',
    ],
    [
      'a limit of a new person on the first day of a month',
      {
        limit: LIMIT,
        countsOver: 'month' as const,
        use: { ...useOf(0, '2026-11-30', []), period: { first: '2026-12-01', last: '2026-12-31' } },
      },
      '*December:* no figures yet. Too few days for a forecast of your 5 M.',
    ],
    [
      'a limit of a period that isn’t kept',
      { limit: LIMIT, countsOver: 'year' as const, use: undefined },
      'Your limit is 5 M each year. Personal figures aren’t kept for a whole year, so its use isn’t known.',
    ],
    [
      'a temporary raise',
      {
        limit: knownLimit(5_000_000, { permanent: 1_000_000, until: new Date('2026-12-19T00:00:00Z') }),
        countsOver: undefined,
        use: undefined,
      },
      'Your limit is 5 M (until 19 Dec, then 1 M). Per week or per month? <@U0ADA> or <@U0BEN> can choose.',
    ],
    [
      'a declared limit',
      { limit: declaredLimit(5_000_000), countsOver: undefined, use: undefined },
      'Your limit is 5 M (declared, not set here). Per week or per month? <@U0ADA> or <@U0BEN> can choose.',
    ],
    [
      'an unknown period',
      { limit: LIMIT, countsOver: undefined, use: undefined },
      'Your limit is 5 M. Per week or per month? <@U0ADA> or <@U0BEN> can choose.',
    ],
    [
      'an unknown limit',
      { limit: NO_LIMIT, countsOver: 'month' as const, use: undefined },
      'Your limit isn’t known here. <@U0ADA> or <@U0BEN> can declare it.',
    ],
  ])('is answered in one line for %s', (_case, facts, line) => {
    expect(lineOf(facts).drawn).toBe(line);
    expect(lineOf(facts).aloud).toBe(line.replace(/^[█░]+ /, ''));
  });

  test('shows an admin what to type, and names no one if Slack doesn’t', () => {
    const unknown = { limit: NO_LIMIT, countsOver: undefined, use: undefined };
    expect(lineOf(unknown, { ...READER, slackId: 'U0ADA' }).drawn).toContain('Declare it with `/limits declare`.');
    expect(lineOf({ ...unknown, limit: LIMIT }, { ...READER, slackId: 'U0ADA' }).drawn).toContain('`/quartermaster`');
    expect(lineOf(unknown, { ...READER, admins: [] }).drawn).toContain('An admin can declare it.');
  });

  test.each([
    [4_050_000, evenDays, { kind: 'reached', on: '2026-11-25', earliest: '2026-11-25', latest: '2026-11-25' }],
    [5_000_000, evenDays, { kind: 'used_up' }],
    [5_000_001, evenDays, { kind: 'over' }],
    [900_000, evenDays.slice(0, 10), { kind: 'open', why: 'few_days' }],
    [0, evenDays.map(() => 0), { kind: 'lasts', byEnd: 0, likely: undefined, idleDays: 51 }],
  ])('with %d used has its outlook', (value, days, outlook) => {
    expect(outlookOf(useOf(value, '2026-11-20', days), 5_000_000)).toEqual(outlook);
  });

  test('of even days is close to their sum', () => {
    const outlook = outlookOf(useOf(1_000_000, '2026-11-20', evenDays), 5_000_000);
    if (outlook.kind !== 'lasts' || !outlook.likely) throw new Error(outlook.kind);
    expect(Math.abs(outlook.byEnd / 3_000_000 - 1)).toBeLessThan(0.01);
    expect(outlook.likely.lower).toBeGreaterThan(2_850_000);
    expect(outlook.likely.upper).toBeLessThan(3_150_000);
  });

  const isWorkday = (day: Day) => new Date(day).getUTCDay() % 6 !== 0;
  const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

  test('of a person who works on workdays alone is right on any day, to two in a hundred', () => {
    for (const last of daysOf({ first: '2026-11-01', last: '2026-11-29' })) {
      const days = daysOf({ first: plusDays(last, -40), last }).map((day) => (isWorkday(day) ? 1_000 : 0));
      const soFar = sumOf(days.slice(-Number(last.slice(8))));
      // November 2026 has 21 workdays.
      const outlook = outlookOf(useOf(soFar, last, days), 1e9);
      if (outlook.kind !== 'lasts') throw new Error(outlook.kind);
      expect(Math.abs(outlook.byEnd / 21_000 - 1)).toBeLessThan(0.02);
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
      if (outlook.kind !== 'lasts' || !outlook.likely) throw new Error(outlook.kind);
      found.inside += Number(outlook.likely.lower <= total && total <= outlook.likely.upper);
      found.off += outlook.byEnd - total;
      found.total += total;
    }
    expect(found.inside / people).toBeGreaterThan(0.74);
    expect(found.inside / people).toBeLessThan(0.92);
    expect(Math.abs(found.off / found.total)).toBeLessThan(0.05);
  });
});
