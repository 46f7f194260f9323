import { listOf, numberOf, recordOf, recordsOf, stringOf, textOf, type Json } from '../core/json.ts';

interface Series {
  name: string;
  /** One value for each category. */
  values: number[];
}

export interface SeriesChart {
  kind: 'line' | 'bar' | 'area';
  title: string;
  categories: string[];
  series: Series[];
  xLabel: string;
  yLabel: string;
}

export interface PieChart {
  kind: 'pie';
  title: string;
  segments: { label: string; value: number }[];
}

export type Chart = SeriesChart | PieChart;

/** Reads a `data_visualization` block; null: there is nothing in it that could be drawn. */
export function readChart(block: Json): Chart | null {
  const chart = recordOf(block['chart']);
  if (chart === null) return null;
  const title = textOf(block['title']);
  switch (chart['type']) {
    case 'pie':
      return readPie(chart, title);
    case 'line':
    case 'bar':
    case 'area':
      return readSeries(chart, chart['type'], title);
    default:
      return null;
  }
}

function readPie(chart: Json, title: string): PieChart | null {
  const segments = recordsOf(chart['segments'])
    .map((segment) => ({ label: stringOf(segment['label']), value: numberOf(segment['value']) ?? 0 }))
    .filter(({ value }) => value > 0);
  return segments.length === 0 ? null : { kind: 'pie', title, segments };
}

function readSeries(chart: Json, kind: SeriesChart['kind'], title: string): SeriesChart | null {
  const axis = recordOf(chart['axis_config']) ?? {};
  const categories = listOf(axis['categories']).map((category) => stringOf(category));
  const series = recordsOf(chart['series']).map((one) => {
    const points = recordsOf(one['data']);
    const valueAt = (category: string) => points.find((point) => point['label'] === category)?.['value'];
    return { name: stringOf(one['name']), values: categories.map((category) => numberOf(valueAt(category)) ?? 0) };
  });
  if (categories.length === 0 || series.length === 0) return null;
  return { kind, title, categories, series, xLabel: textOf(axis['x_label']), yLabel: textOf(axis['y_label']) };
}

/** A chart as rows: the first one is the header. This is what is read where the drawing cannot be seen. */
export function chartRows(chart: Chart): { header: string[]; rows: string[][] } {
  if (chart.kind === 'pie') {
    const total = chart.segments.reduce((sum, { value }) => sum + value, 0);
    return {
      header: ['Part', 'Value', 'Share'],
      rows: chart.segments.map(({ label, value }) => [label, formatValue(value), formatShare(value / total)]),
    };
  }
  return {
    header: [chart.xLabel === '' ? 'Category' : chart.xLabel, ...chart.series.map(({ name }) => name)],
    rows: chart.categories.map((category, index) => [
      category,
      ...chart.series.map(({ values }) => formatValue(values[index] ?? 0)),
    ]),
  };
}

export function formatValue(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 4 });
}

export function formatShare(share: number): string {
  return share.toLocaleString('en-US', { style: 'percent', maximumFractionDigits: 1 });
}
