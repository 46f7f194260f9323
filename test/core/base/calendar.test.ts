import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatPeriod, isDay, plusDays } from '../../../src/core/base/time/calendar.ts';
import { ambiguityOfPeriod, readPeriod, spellPeriod } from '../../../src/core/base/time/read-period.ts';
import { cutToExisting } from '../../../src/core/analytics/period.ts';

const WEDNESDAY = '2026-03-04';
const days = fc.integer({ min: 0, max: 700 }).map((offset) => plusDays('2026-01-01', offset));

describe('the periods that users type', () => {
  test.each([
    ['yesterday', '2026-03-03', '2026-03-03'],
    ['7d', '2026-02-25', '2026-03-03'],
    ['28d', '2026-02-04', '2026-03-03'],
    ['last 3 days', '2026-03-01', '2026-03-03'],
    ['last week', '2026-02-23', '2026-03-01'],
    ['this week', '2026-03-02', '2026-03-08'],
    ['last month', '2026-02-01', '2026-02-28'],
    ['this month', '2026-03-01', '2026-03-31'],
    ['mtd', '2026-03-01', '2026-03-31'],
    ['2026-02-14', '2026-02-14', '2026-02-14'],
    ['2026-02-01..2026-02-07', '2026-02-01', '2026-02-07'],
    ['2026-02-07..2026-02-01', '2026-02-01', '2026-02-07'],
    ['2026-02-01 to 2026-02-07', '2026-02-01', '2026-02-07'],
    ['2026-02-01-2026-02-07', '2026-02-01', '2026-02-07'],
    ['feb 1 to feb 7', '2026-02-01', '2026-02-07'],
    ['1 feb to 7 feb', '2026-02-01', '2026-02-07'],
    ['february 3', '2026-02-03', '2026-02-03'],
    ['oct 1 to oct 7', '2025-10-01', '2025-10-07'],
    ['dec 20 to jan 5', '2025-12-20', '2026-01-05'],
    ['oct 7 to oct 1', '2025-10-01', '2025-10-07'],
    ['7 oct to 1 oct', '2025-10-01', '2025-10-07'],
    ['mar 2 to feb 20', '2026-02-20', '2026-03-02'],
    ['nov 30 to oct 2', '2025-10-02', '2025-11-30'],
    ['jan 5 to dec 20', '2025-01-05', '2025-12-20'],
    ['2026-02-07 to feb 1', '2026-02-01', '2026-02-07'],
    ['feb 1 to feb 1', '2026-02-01', '2026-02-01'],
    ['february', '2026-02-01', '2026-02-28'],
    ['march', '2026-03-01', '2026-03-31'],
    ['october', '2025-10-01', '2025-10-31'],
    ['oct 2024', '2024-10-01', '2024-10-31'],
    ['2026-02', '2026-02-01', '2026-02-28'],
    ['2w', '2026-02-18', '2026-03-03'],
    ['last 2 weeks', '2026-02-18', '2026-03-03'],
    ['q1', '2026-01-01', '2026-03-31'],
    ['q3', '2025-07-01', '2025-09-30'],
    ['q3 2024', '2024-07-01', '2024-09-30'],
    ['this quarter', '2026-01-01', '2026-03-31'],
    ['last quarter', '2025-10-01', '2025-12-31'],
    ['this year', '2026-01-01', '2026-12-31'],
    ['last year', '2025-01-01', '2025-12-31'],
    ['2025', '2025-01-01', '2025-12-31'],
    ['monday', '2026-03-02', '2026-03-02'],
    ['wed', '2026-02-25', '2026-02-25'],
    ['since feb 1', '2026-02-01', '2026-03-03'],
    ['since monday', '2026-03-02', '2026-03-03'],
    ['since february', '2026-02-01', '2026-03-03'],
    ['since 2026-02-10', '2026-02-10', '2026-03-03'],
    ['ytd', '2026-01-01', '2026-12-31'],
    ['week to date', '2026-03-02', '2026-03-08'],
    ['week 8', '2026-02-16', '2026-02-22'],
    ['w53', '2025-12-29', '2026-01-04'],
    ['week 47', '2025-11-17', '2025-11-23'],
    ['since christmas', '2025-12-25', '2026-03-03'],
    ['since the start of the month', '2026-03-01', '2026-03-03'],
    ['13/11/2025', '2025-11-13', '2025-11-13'],
    ['11/13/2025', '2025-11-13', '2025-11-13'],
    ['13.11.2025', '2025-11-13', '2025-11-13'],
    ['2025/11/13', '2025-11-13', '2025-11-13'],
    ['tomorrow', '2026-03-05', '2026-03-05'],
    ['next week', '2026-03-09', '2026-03-15'],
    ['in the past two weeks', '2026-02-18', '2026-03-03'],
    ['three days ago', '2026-03-01', '2026-03-01'],
    ['two weeks ago', '2026-02-16', '2026-02-22'],
    ['the week before last', '2026-02-16', '2026-02-22'],
    ['the day before yesterday', '2026-03-02', '2026-03-02'],
    ['last weekend', '2026-02-28', '2026-03-01'],
    ['monday to tuesday', '2026-03-02', '2026-03-03'],
    ['between feb 2 and feb 6', '2026-02-02', '2026-02-06'],
    ['feb 2-6', '2026-02-02', '2026-02-06'],
    ['2 to 6 february', '2026-02-02', '2026-02-06'],
    ['the first half of february', '2026-02-01', '2026-02-15'],
    ['november to january', '2025-11-01', '2026-01-31'],
    ['the 3rd of february', '2026-02-03', '2026-02-03'],
    ['feb 2 .. feb 6', '2026-02-02', '2026-02-06'],
    ['feb 2.. feb 6', '2026-02-02', '2026-02-06'],
    ['february so far', '2026-02-01', '2026-02-28'],
    ['from february onwards', '2026-02-01', '2026-03-03'],
    ['third quarter', '2025-07-01', '2025-09-30'],
  ])('%s is %s to %s on a Wednesday in March', (text, first, last) => {
    const words = text.split(' ');
    expect(readPeriod(words, WEDNESDAY)).toMatchObject({ requested: { first, last }, wordCount: words.length });
  });

  test.each([
    'sumary',
    'feb 30',
    '0d',
    'me',
    '2026-13-01',
    '99999d',
    'last',
    'to',
    '..',
    'since',
    'since tomorrow',
    '2026-00',
    'q5',
    'mo',
    'constructor',
    '02/01',
    '31/02/2026',
    '13/13/2026',
    'last few days',
    'week 54',
    'week 0',
    'since tomorrow',
    'mondays',
    'the',
    'in',
  ])('%s is no period', (text) => {
    expect(readPeriod(text.split(' '), WEDNESDAY)).toBeUndefined();
  });

  test.each([
    ['02/01', 'jan 2 or feb 1'],
    ['3/4', '2025-04-03 or mar 4'],
    ['last few days', '3d or 7d'],
    ['last 3 months', '90d or dec 1 to feb 28'],
  ])('%s has several meanings, which are named', (text, meant) => {
    expect(readPeriod(text.split(' '), WEDNESDAY)).toBeUndefined();
    expect(ambiguityOfPeriod(text.split(' '), WEDNESDAY)).toContain(`Type ${meant}.`);
  });

  test('a period means the same in the words of commands', () => {
    const words = ['ytd', 'week 8', 'since christmas', 'last month', 'q3', 'past 2 weeks', 'last weekend', 'february'];
    for (const text of words) {
      const requested = readPeriod(text.split(' '), WEDNESDAY)?.requested;
      const spelled = requested ? spellPeriod(requested, WEDNESDAY) : '';
      const { first, last } = requested ?? {};
      expect([text, readPeriod(spelled.split(' '), WEDNESDAY)?.requested]).toMatchObject([text, { first, last }]);
    }
  });

  test('October and November are two periods, which can be compared', () => {
    expect(readPeriod(['october', 'and', 'november'], WEDNESDAY)).toMatchObject({ wordCount: 1 });
  });

  test('words after a period are left alone', () => {
    expect(readPeriod(['last', 'week', 'me'], WEDNESDAY)).toMatchObject({ wordCount: 2 });
  });

  test('no input breaks the reader', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.string(), fc.constantFrom('last', 'to', '7d', 'feb', '1', '..', 'since', 'q3', '2025', 'mon')),
        ),
        days,
        (words, today) => {
          const found = readPeriod(words, today);
          expect(
            found === undefined || (isDay(found.requested.first) && found.requested.first <= found.requested.last),
          ).toBe(true);
        },
      ),
    );
  });
});

describe('the days that can have figures', () => {
  test('a period is cut to 2026-01-14 and yesterday, and the reply says so', () => {
    expect(cutToExisting({ first: '2026-01-01', last: '2026-01-20' }, '2026-01-17')).toEqual({
      kind: 'exists',
      period: { first: '2026-01-14', last: '2026-01-16' },
      cutAtStart: true,
      cutAtEnd: true,
    });
  });

  test('there are none before the first day, and none from today on', () => {
    expect(cutToExisting({ first: '2025-10-01', last: '2025-10-07' }, WEDNESDAY).kind).toBe('before_all');
    expect(cutToExisting({ first: WEDNESDAY, last: WEDNESDAY }, WEDNESDAY).kind).toBe('not_yet');
  });

  test('periods are formatted as dates', () => {
    expect(formatPeriod({ first: '2026-03-01', last: '2026-03-07' })).toBe('1–7 Mar 2026');
    expect(formatPeriod({ first: '2026-02-25', last: '2026-03-03' })).toBe('25 Feb – 3 Mar 2026');
    expect(formatPeriod({ first: '2026-03-02', last: '2026-03-02' })).toBe('Mon 2 Mar 2026');
  });
});
