import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chartRows, readChart, type Chart } from '../../../src/sandbox/page/browser/chart/chart-data.ts';
import { areaPath, layOutSeries, linePath } from '../../../src/sandbox/page/browser/chart/geometry.ts';
import { niceScale } from '../../../src/sandbox/page/browser/chart/scale.ts';

const labels = (values: number[]) => niceScale(values).ticks.map(({ label }) => label);

describe('the value axis', () => {
  test.each([
    [
      [3, 97],
      ['0', '20', '40', '60', '80', '100'],
    ],
    [
      [0, 0],
      ['0', '0.2', '0.4', '0.6', '0.8', '1'],
    ],
    [
      [-7, 4],
      ['-7.5', '-5', '-2.5', '0', '2.5', '5'],
    ],
    [[0.02], ['0', '0.005', '0.01', '0.015', '0.02']],
    [[43_912_135], ['0', '10M', '20M', '30M', '40M', '50M']],
    [[9_500], ['0', '2,000', '4,000', '6,000', '8,000', '10,000']],
  ])('of %j has the ticks %j', (values, expected) => {
    expect(labels(values)).toEqual(expected);
  });

  const values = fc.array(fc.double({ noNaN: true, min: -1e15, max: 1e15 }), { minLength: 1, maxLength: 20 });

  test('always contains zero and all values, on a few distinct ticks', () => {
    fc.assert(
      fc.property(values, (list) => {
        const { lowest, highest, ticks } = niceScale(list);
        const room = (highest - lowest) * 1e-9;
        expect(lowest).toBeLessThanOrEqual(Math.min(0, ...list) + room);
        expect(highest).toBeGreaterThanOrEqual(Math.max(0, ...list) - room);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(8);
        expect(new Set(ticks.map(({ value }) => value)).size).toBe(ticks.length);
      }),
    );
  });

  test('survives numbers without an axis', () => {
    for (const wild of [[Number.NaN], [Infinity], [-1e308, 1e308], [5e-324], []]) {
      expect(niceScale(wild).ticks.length).toBeLessThanOrEqual(8);
    }
  });
});

const names = fc
  .integer({ min: 1, max: 20 })
  .map((count) => Array.from({ length: count }, (_, index) => `day ${index}`));
const charts: fc.Arbitrary<Chart> = fc
  .record({ kind: fc.constantFrom('line', 'bar', 'area'), categories: names, count: fc.integer({ min: 1, max: 12 }) })
  .chain(({ kind, categories, count }) =>
    fc
      .array(
        fc.array(fc.double({ noNaN: true, min: -1e12, max: 1e12 }), {
          minLength: categories.length,
          maxLength: categories.length,
        }),
        { minLength: count, maxLength: count },
      )
      .map((rows) => ({
        kind,
        title: 't',
        categories,
        series: rows.map((row, index) => ({ name: `s${index}`, values: row })),
        xLabel: 'x',
        yLabel: '',
      })),
  );

describe('a chart of series', () => {
  test('keeps every point, bar and label within its frame, at any width', () => {
    fc.assert(
      fc.property(charts, fc.integer({ min: 120, max: 1200 }), (chart, width) => {
        const { points, bars, plot, baseline, categoryTicks } = layOutSeries(chart, { width, height: 240 });
        const bottom = plot.y + plot.height + 1e-6;
        for (const { x, y } of points.flat()) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(width);
          expect(y).toBeGreaterThanOrEqual(plot.y - 1e-6);
          expect(y).toBeLessThanOrEqual(bottom);
        }
        for (const bar of bars.flat()) {
          expect(bar.height).toBeGreaterThanOrEqual(0);
          expect(bar.y + bar.height).toBeLessThanOrEqual(bottom);
          expect(Math.min(Math.abs(bar.y - baseline), Math.abs(bar.y + bar.height - baseline))).toBeLessThan(1e-6);
        }
        expect(categoryTicks.length).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 50 },
    );
  });

  test('draws bars upwards and downwards from zero', () => {
    const chart = { kind: 'bar' as const, title: '', categories: ['a', 'b'], xLabel: '', yLabel: '' };
    const { bars, baseline } = layOutSeries(
      { ...chart, series: [{ name: 's', values: [5, -5] }] },
      { width: 300, height: 200 },
    );
    const [up, down] = bars[0] ?? [];
    expect(up?.y).toBeLessThan(baseline);
    expect(down?.y).toBe(baseline);
    expect(up?.height).toBeCloseTo(down?.height ?? 0);
  });

  test('leaves out labels that do not fit', () => {
    const categories = Array.from({ length: 20 }, (_, index) => `2026-03-${index + 1}`);
    const chart = { kind: 'line' as const, title: '', categories, xLabel: '', yLabel: '' };
    const series = [{ name: 's', values: categories.map(() => 1) }];
    expect(layOutSeries({ ...chart, series }, { width: 300, height: 200 }).categoryTicks).toHaveLength(4);
  });

  test('closes an area on the zero line', () => {
    const points = [
      { x: 0, y: 5 },
      { x: 10, y: 2.5 },
    ];
    expect(linePath(points)).toBe('M0,5L10,2.5');
    expect(areaPath(points, 8)).toBe('M0,5L10,2.5L10,8L0,8Z');
    expect(areaPath([], 8)).toBe('');
  });
});

describe('a data_visualization block', () => {
  const axis_config = { categories: ['Mon', 'Tue'], x_label: 'Day' };
  const data = [
    { label: 'Tue', value: 2 },
    { label: 'Mon', value: 1 },
  ];

  test('is read by its categories, and its numbers appear in a table', () => {
    const chart = readChart({ title: 'T', chart: { type: 'line', series: [{ name: 'Web', data }], axis_config } });
    expect(chart).toMatchObject({ kind: 'line', title: 'T', series: [{ name: 'Web', values: [1, 2] }] });
    expect(chart && chartRows(chart)).toEqual({
      header: ['Day', 'Web'],
      rows: [
        ['Mon', '1'],
        ['Tue', '2'],
      ],
    });
  });

  test.each([[{}], [{ chart: { type: 'radar' } }], [{ chart: { type: 'bar', series: [], axis_config } }]])(
    'without data is empty: %j',
    (block) => {
      expect(readChart(block)).toBeNull();
    },
  );
});
