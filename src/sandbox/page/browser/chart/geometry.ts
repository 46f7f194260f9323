import type { Chart } from './chart-data.ts';
import { niceScale, positionOf } from './scale.ts';

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

interface Rectangle extends Point, Size {}

/** The coordinates of a line, bar or area chart, in pixels from the top left. */
export interface SeriesGeometry {
  plot: Rectangle;
  /** The vertical position of zero. */
  baseline: number;
  valueTicks: { y: number; label: string }[];
  categoryTicks: { x: number; label: string }[];
  /** One column per category, as wide as possible, for the pointer. */
  bands: Rectangle[];
  /** One list per series: the centres of its points, in the order of the categories. */
  points: Point[][];
  /** One list per series; empty except for bar charts. */
  bars: Rectangle[][];
}

const CHARACTER_WIDTH = 6.6;
const LABEL_GAP = 10;
const TOP = 10;
const RIGHT = 12;
const CATEGORY_HEIGHT = 24;
const AXIS_LABEL_HEIGHT = 18;
const MAX_LABEL_CHARACTERS = 14;

export function layOutSeries(chart: Chart, size: Size): SeriesGeometry {
  const scale = niceScale(chart.series.flatMap(({ values }) => values));
  const widestTick = Math.max(...scale.ticks.map(({ label }) => label.length)) * CHARACTER_WIDTH;
  const left = Math.min(widestTick + LABEL_GAP + 2, size.width / 3);
  const top = TOP + (chart.yLabel === '' ? 0 : AXIS_LABEL_HEIGHT);
  const bottom = CATEGORY_HEIGHT + (chart.xLabel === '' ? 0 : AXIS_LABEL_HEIGHT);
  const plot = {
    x: left,
    y: top,
    width: Math.max(size.width - left - RIGHT, 1),
    height: Math.max(size.height - top - bottom, 1),
  };
  const heightOf = (value: number) => positionOf(value, scale, plot.y + plot.height, plot.y);
  const bandWidth = plot.width / chart.categories.length;
  const bands = chart.categories.map((_, index) => ({ ...plot, x: plot.x + index * bandWidth, width: bandWidth }));
  const points = chart.series.map(({ values }) =>
    values.map((value, index) => ({ x: plot.x + (index + 0.5) * bandWidth, y: heightOf(value) })),
  );
  const baseline = heightOf(0);
  return {
    plot,
    baseline,
    valueTicks: scale.ticks.map(({ value, label }) => ({ y: heightOf(value), label })),
    categoryTicks: thinned(chart.categories, bandWidth).map(({ index, label }) => ({
      x: plot.x + (index + 0.5) * bandWidth,
      label,
    })),
    bands,
    points,
    bars:
      chart.kind === 'bar' ? points.map((row, series) => barsOf(row, series, points.length, bandWidth, baseline)) : [],
  };
}

/** Selects as many labels as fit side by side, evenly: all, every second, every third … */
function thinned(categories: readonly string[], bandWidth: number): { index: number; label: string }[] {
  const labels = categories.map((category) =>
    category.length > MAX_LABEL_CHARACTERS ? `${category.slice(0, MAX_LABEL_CHARACTERS - 1)}…` : category,
  );
  const widest = Math.max(1, ...labels.map((label) => label.length)) * CHARACTER_WIDTH + LABEL_GAP;
  const every = Math.max(1, Math.ceil(widest / bandWidth));
  return labels.map((label, index) => ({ index, label })).filter(({ index }) => index % every === 0);
}

/** The bars of one series, beside those of the others, upwards or downwards from zero. */
function barsOf(
  row: readonly Point[],
  series: number,
  count: number,
  bandWidth: number,
  baseline: number,
): Rectangle[] {
  const groupWidth = Math.min(bandWidth * 0.76, count * 48);
  const width = groupWidth / count;
  return row.map(({ x, y }) => ({
    x: x - groupWidth / 2 + series * width,
    y: Math.min(y, baseline),
    width: Math.max(width - (width > 4 ? 1 : 0), 0.5),
    height: Math.abs(y - baseline),
  }));
}

const at = ({ x, y }: Point) => `${rounded(x)},${rounded(y)}`;
const rounded = (value: number) => Math.round(value * 100) / 100;

/** The path of a line through points; empty without points. */
export function linePath(points: readonly Point[]): string {
  return points.map((point, index) => `${index === 0 ? 'M' : 'L'}${at(point)}`).join('');
}

export function areaPath(points: readonly Point[], baseline: number): string {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return '';
  return `${linePath(points)}L${at({ x: last.x, y: baseline })}L${at({ x: first.x, y: baseline })}Z`;
}
