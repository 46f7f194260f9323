import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatPeriod, isDay, plusDays } from '../../../src/core/base/time/calendar.ts';
import { readPeriod } from '../../../src/core/base/time/read-period.ts';
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
  ])('%s is no period', (text) => {
    expect(readPeriod(text.split(' '), WEDNESDAY)).toBeUndefined();
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
