import { formatDay, mondayOf, type Day } from '../../base/time/calendar.ts';

/** Slack draws at most this many points; longer periods are combined into weeks. */
const MAX_POINTS = 20;
/** More than six lines are indistinguishable, and some workspaces do not draw them. */
const MAX_SERIES = 6;

/** How the days of a week are combined: amounts are added; numbers of people never are. */
export type WeekAggregation = 'sum' | 'peak';

/** A published day with one value for each series. */
export interface DayValues {
  day: Day;
  values: readonly number[];
}

export interface Points {
  unit: 'day' | 'week';
  labels: string[];
  /** By series, one value for each label. */
  values: number[][];
  /** The number of earlier weeks that did not fit. */
  leftOut: number;
}

/** Returns a point a day, or from 21 days on a week (Monday to Sunday, cut at the ends); `days` are oldest first. */
export function pointsOf(days: readonly DayValues[], aggregation: WeekAggregation): Points {
  const unit = days.length <= MAX_POINTS ? 'day' : 'week';
  const all =
    unit === 'day' ? days.map(({ day, values }) => ({ label: formatDay(day), values })) : weeksOf(days, aggregation);
  const visiblePoints = all.slice(-MAX_POINTS);
  const series = days[0]?.values.length ?? 0;
  return {
    unit,
    labels: visiblePoints.map(({ label }) => label),
    values: Array.from({ length: series }, (_, index) => visiblePoints.map(({ values }) => values[index] ?? 0)),
    leftOut: all.length - visiblePoints.length,
  };
}

interface Point {
  label: string;
  values: readonly number[];
}

/** A week of a single day would look like a fall in use, so its label says that it is one day. */
function weeksOf(days: readonly DayValues[], aggregation: WeekAggregation): Point[] {
  const weeks = new Map<Day, { day: Day; values: number[]; count: number }>();
  for (const { day, values } of days) {
    const monday = mondayOf(day);
    const week = weeks.get(monday);
    if (!week) weeks.set(monday, { day, values: [...values], count: 1 });
    else {
      week.count += 1;
      week.values = week.values.map((value, index) => aggregate(aggregation, value, values[index] ?? 0));
    }
  }
  return [...weeks.values()].map(({ day, values, count }) => ({
    label: count === 1 ? `${formatDay(day)} only` : formatDay(day),
    values,
  }));
}

const aggregate = (aggregation: WeekAggregation, a: number, b: number) =>
  aggregation === 'sum' ? a + b : Math.max(a, b);

/** @example unitWords({ unit: 'week', leftOut: 3, labels, values }) // 'by week, last 20' */
export function unitWords({ unit, leftOut, labels }: Points): string {
  return leftOut > 0 ? `by week, last ${labels.length}` : `by ${unit}`;
}

export function weekNote({ unit }: Points, aggregation: WeekAggregation): string {
  if (unit === 'day') return '';
  const what = aggregation === 'sum' ? '' : ' Each shows its highest day: people of several days can’t be added.';
  return `The chart is by week, Monday to Sunday; the first and the last may be shorter.${what}`;
}

export interface NamedSeries {
  name: string;
  values: readonly number[];
}

/** Returns the largest series, with the rest combined into one, so that a chart stays readable and complete. */
export function topSeries(series: readonly NamedSeries[], restName: string): NamedSeries[] {
  if (series.length <= MAX_SERIES) return [...series];
  const sorted = series.toSorted((a, b) => total(b) - total(a));
  const rest = sorted.slice(MAX_SERIES - 1);
  const summed = rest.reduce<readonly number[]>(
    (sums, { values }) => values.map((value, index) => value + (sums[index] ?? 0)),
    [],
  );
  return [...sorted.slice(0, MAX_SERIES - 1), { name: restName, values: summed }];
}

const total = ({ values }: NamedSeries) => values.reduce((sum, value) => sum + value, 0);
