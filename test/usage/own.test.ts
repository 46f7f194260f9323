import { describe, expect, test } from 'vitest';
import { outlookOf, ownLines, peersOf, type OwnReport } from '../../src/usage/own/own-report.ts';

const report = (change: Partial<OwnReport> = {}): OwnReport => ({
  period: { first: '2026-11-01', last: '2026-11-20' },
  comparedWith: { first: '2026-10-01', last: '2026-10-20' },
  used: { value: 4_000_000, before: 2_000_000 },
  all: 100_000_000,
  limit: { value: 5_000_000, setOn: '2026-11-03' },
  limitPeriod: 'month',
  weeks: [500_000, 1_000_000, 1_200_000, 1_300_000],
  peers: { team: undefined, people: 27, medians: [400_000, 400_000, 500_000, 450_000] },
  ...change,
});

describe('one’s own month', () => {
  test('is told beside the month before, the limit, and the median of others', () => {
    expect(ownLines(report())).toEqual({
      point:
        '4 M Standard Credits, up 100% from 2 M in 1 – 20 Oct 2026, allowing for weekdays. 4% of the organization’s credits.',
      limit: 'Limit: 5 M, set Tue 3 Nov. At this month’s pace, 5 M is reached about Wed 25 Nov.',
      trend: [
        'Your last 4 weeks, oldest first: 500 K, 1 M, 1.2 M, 1.3 M.',
        'Median of 27 other people: 400 K, 400 K, 500 K, 450 K.',
      ],
      notes: ['The platform doesn’t say whether a limit was changed elsewhere.'],
    });
  });

  test.each([
    [undefined, 'Limit: 5 M, set Tue 3 Nov. Nobody has said yet over which period it counts.'],
    ['week' as const, 'Limit: 5 M, set Tue 3 Nov. It counts over a week.'],
  ])('holds no projection for a limit that counts over %s', (limitPeriod, sentence) => {
    expect(ownLines(report({ limitPeriod })).limit).toBe(sentence);
  });

  test('says of an unknown limit that none was set here, and assumes nothing', () => {
    const { limit, notes } = ownLines(report({ limit: undefined }));
    expect([limit, notes]).toEqual(['Limit: unknown, because none was set through Quartermaster.', []]);
  });

  test.each([
    [4_000_000, '2026-11-20', { kind: 'reached', on: '2026-11-25' }],
    [5_000_000, '2026-11-20', { kind: 'over' }],
    [2_000_000, '2026-11-20', { kind: 'below', byEnd: 3_000_000, end: '2026-11-30' }],
    [900_000, '2026-11-04', { kind: 'open' }],
    [0, '2026-11-20', { kind: 'below', byEnd: 0, end: '2026-11-30' }],
  ])('with %d used by %s has its outlook', (value, last, outlook) => {
    expect(outlookOf({ period: { first: '2026-11-01', last }, used: { value } }, 5_000_000)).toEqual(outlook);
  });
});

describe('the median of others', () => {
  const weeks = (count: number) => Array.from({ length: count }, (_, index) => [index + 1, 10 * (index + 1)]);

  test('is that of the first group of enough people who used something', () => {
    const idle = [0, 0];
    const team = { team: '@web', weeks: [...weeks(4), idle, idle] };
    const all = { team: undefined, weeks: weeks(7) };
    expect(peersOf([team, all], 5)).toEqual({ team: undefined, people: 7, medians: [4, 40] });
    expect(peersOf([{ ...team, weeks: weeks(5) }, all], 5)).toEqual({
      team: '@web',
      people: 5,
      medians: [3, 30],
    });
  });

  test('is not told of fewer people', () => {
    expect(peersOf([{ team: undefined, weeks: weeks(4) }], 5)).toBeUndefined();
    expect(peersOf([], 5)).toBeUndefined();
  });
});
