import type { TableOptions } from '../../../../src/core/slack/blocks/paragraphs.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daysOf, plusDays } from '../../../../src/core/base/time/calendar.ts';
import { dayTable } from '../../../../src/features/usage/views/paragraphs.ts';
import { pointsOf, topSeries, unitWords, weekNote } from '../../../../src/core/figures/measures/sentences.ts';

const amount = fc.nat(1_000_000);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const from = (first: string, amounts: readonly number[]) =>
  amounts.map((value, index) => ({ day: plusDays(first, index), values: [value] }));

describe('the points of a chart', () => {
  test('are days up to twenty, then weeks; only the points that the note mentions are left out', () => {
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 250 }), (amounts) => {
        const points = pointsOf(from('2026-01-14', amounts), 'sum');
        expect(points.labels.length).toBeLessThanOrEqual(20);
        expect(points.unit).toBe(amounts.length <= 20 ? 'day' : 'week');
        const drawn = sum(points.values[0] ?? []);
        expect(points.leftOut > 0 ? drawn <= sum(amounts) : drawn === sum(amounts)).toBe(true);
      }),
    );
  });

  test('are weeks from Monday to Sunday, cut at the ends, even if a Monday is missing', () => {
    const days = daysOf({ first: '2026-03-04', last: '2026-03-31' })
      .filter((day) => day !== '2026-03-16')
      .map((day) => ({ day, values: [1] }));
    expect(pointsOf(days, 'sum')).toMatchObject({
      unit: 'week',
      labels: ['Wed 4 Mar (5 days)', 'Mon 9 Mar', 'Tue 17 Mar (6 days)', 'Mon 23 Mar', 'Mon 30 Mar (2 days)'],
      values: [[5, 7, 6, 7, 2]],
    });
  });

  test('name a week of a single day as one, because a month that begins on a Sunday is no dip', () => {
    const november = daysOf({ first: '2026-11-01', last: '2026-11-22' }).map((day) => ({ day, values: [1] }));
    expect(pointsOf(november, 'sum').labels).toEqual(['Sun 1 Nov only', 'Mon 2 Nov', 'Mon 9 Nov', 'Mon 16 Nov']);
  });

  test('show the highest day of a week if days cannot be added, with a note', () => {
    const points = pointsOf(
      from(
        '2026-03-02',
        Array.from({ length: 28 }, (_, index) => index),
      ),
      'peak',
    );
    expect(points.values).toEqual([[6, 13, 20, 27]]);
    expect(weekNote(points, 'peak')).toContain('people of several days can’t be added');
  });

  test('mention the number of shown weeks if there are more', () => {
    const points = pointsOf(
      from(
        '2026-02-02',
        Array.from({ length: 7 * 25 }, () => 1),
      ),
      'sum',
    );
    expect([unitWords(points), points.leftOut]).toEqual(['by week, last 20', 5]);
  });
});

describe('the series of a chart', () => {
  test('are at most six: the five largest and the rest, with nothing lost', () => {
    const values = fc.array(amount, { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 15 }), (all) => {
        const series = all.map((each, index) => ({ name: `m${index}`, values: each }));
        const top = topSeries(series, 'other');
        expect(top.length).toBe(Math.min(6, all.length));
        expect(sum(top.flatMap((one) => one.values))).toBe(sum(all.flat()));
        const totals = all.map(sum).toSorted((a, b) => b - a);
        const kept = top.filter((one) => one.name !== 'other').map((one) => sum(one.values));
        expect(kept.toSorted((a, b) => b - a)).toEqual(totals.slice(0, all.length > 6 ? 5 : 6));
      }),
    );
  });
});

/** The titles and cells of a table. */
const readTable = <Row>({ caption, columns, rows }: TableOptions<Row>) => ({
  caption,
  columns: columns.map(({ title }) => title),
  rows: rows.map((row) => columns.map(({ cell }) => cell(row))),
});

describe('a table of days', () => {
  const days = (count: number) =>
    daysOf({ first: '2026-01-14', last: plusDays('2026-01-14', count - 1) }).map((day) => ({
      day,
      state: 'settled' as const,
      row: { amount: 1 },
    }));
  const tableOf = (count: number) =>
    readTable(dayTable('Credits by day', days(count), [{ title: 'Credits', cell: (row) => row.amount }]));

  test('has the last 200 of more days, with a note', () => {
    const { caption, rows } = tableOf(203);
    expect([caption, rows.length, rows[0]?.[0]]).toEqual(['Credits by day, the last 200', 200, 'Sat 17 Jan']);
  });

  test('is left out for a single day', () => {
    expect(tableOf(1).rows).toEqual([]);
    expect(tableOf(2)).toMatchObject({ caption: 'Credits by day', columns: ['Day', 'Credits', 'State'] });
  });

  test('shows an unpublished day as a gap, not as zero', () => {
    const [first] = days(1);
    const { rows } = readTable(
      dayTable(
        'x',
        [...(first ? [first] : []), { day: '2026-01-15', state: 'unpublished' }],
        [{ title: 'Credits', cell: (row: { amount: number }) => row.amount }],
      ),
    );
    expect(rows[1]).toEqual(['Thu 15 Jan', '–', 'not published']);
  });
});
