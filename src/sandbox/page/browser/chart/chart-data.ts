import { listOf, numberOf, recordOf, recordsOf, stringOf, textOf, type Json } from '../core/json.ts';

interface Series {
  name: string;
  /** One value for each category. */
  values: number[];
}

export interface Chart {
  kind: 'line' | 'bar' | 'area';
  title: string;
  categories: string[];
  series: Series[];
  xLabel: string;
  yLabel: string;
}

/** Parses a `data_visualization` block; null if it contains nothing to draw. */
export function readChart(block: Json): Chart | null {
  const chart = recordOf(block['chart']);
  if (chart === null) return null;
  const title = textOf(block['title']);
  switch (chart['type']) {
    case 'line':
    case 'bar':
    case 'area':
      return readSeries(chart, chart['type'], title);
    default:
      return null;
  }
}

function readSeries(chart: Json, kind: Chart['kind'], title: string): Chart | null {
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

/** Returns a chart as rows with a header, for readers who cannot see the drawing. */
export function chartRows(chart: Chart): { header: string[]; rows: string[][] } {
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
