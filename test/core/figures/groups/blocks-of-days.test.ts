import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysOf, plusDays, weekdayOf, type Period } from '../../../../src/core/base/time/calendar.ts';
import { blocksOf, wholeBlocks } from '../../../../src/core/figures/groups/blocks-of-days.ts';

const words = (blocks: readonly Period[]) => blocks.map(({ first, last }) => `${first.slice(5)}..${last.slice(5)}`);

test('a week is four days, and a weekend with its Friday', () => {
  expect(words(blocksOf({ first: '2026-03-02', last: '2026-03-08' }))).toEqual([
    '03-02..03-02',
    '03-03..03-03',
    '03-04..03-04',
    '03-05..03-05',
    '03-06..03-08',
  ]);
});

test('a weekend at the beginning joins the Monday after it', () => {
  expect(words(blocksOf({ first: '2026-03-07', last: '2026-03-10' }))).toEqual(['03-07..03-09', '03-10..03-10']);
});

test('a month is its weeks, and a part of less than five days joins its neighbor', () => {
  expect(words(blocksOf({ first: '2026-03-01', last: '2026-03-31' }))).toEqual([
    '03-01..03-08',
    '03-09..03-15',
    '03-16..03-22',
    '03-23..03-31',
  ]);
});

test('whole blocks begin with a Monday, and leave out a weekend that is not over', () => {
  expect(words(wholeBlocks({ first: '2026-02-26', last: '2026-03-07' }))).toEqual([
    '03-02..03-02',
    '03-03..03-03',
    '03-04..03-04',
    '03-05..03-05',
  ]);
});

const periods = fc
  .tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 7, max: 100 }))
  .map(([start, length]): Period => {
    const first = plusDays('2026-01-01', start);
    return { first, last: plusDays(first, length - 1) };
  });

test('blocks are the days of their period in order, and none is days of a weekend alone', () => {
  fc.assert(
    fc.property(periods, (period) => {
      const blocks = blocksOf(period);
      expect(blocks.flatMap((block) => daysOf(block))).toEqual(daysOf(period));
      for (const block of blocks) expect(daysOf(block).some((day) => ![0, 6].includes(weekdayOf(day)))).toBe(true);
    }),
  );
});

test('whole blocks of a week later are the same where both periods have them', () => {
  fc.assert(
    fc.property(periods, ({ first, last }) => {
      const later = new Set(words(wholeBlocks({ first: plusDays(first, 7), last: plusDays(last, 7) })));
      const both = wholeBlocks({ first, last }).filter((block) => block.first >= plusDays(first, 14));
      for (const block of words(both)) expect(later.has(block)).toBe(true);
    }),
  );
});
