import { formatDay, mondayOf, type Day } from '../../base/time/calendar.ts';

/** Slack draws at most this many points; more are put together by weeks. */
const MAX_POINTS = 20;
/** More than six lines cannot be told apart, and not every workspace draws them. */
const MAX_SERIES = 6;

/** What several days of a week come to: amounts are added, people of several days never. */
export type Gathering = 'sum' | 'peak';

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
  /** Weeks before the first one shown, if there are more than can be drawn. */
  leftOut: number;
}

/**
 * Days, or from 21 on weeks (Monday to Sunday, cut at the ends), as points of a chart.
 *
 * @param days published ones only, first to last
 */
export function pointsOf(days: readonly DayValues[], gathering: Gathering): Points {
  const unit = days.length <= MAX_POINTS ? 'day' : 'week';
  const all =
    unit === 'day' ? days.map(({ day, values }) => ({ label: formatDay(day), values })) : weeksOf(days, gathering);
  const shown = all.slice(-MAX_POINTS);
  const series = days[0]?.values.length ?? 0;
  return {
    unit,
    labels: shown.map(({ label }) => label),
    values: Array.from({ length: series }, (_, index) => shown.map(({ values }) => values[index] ?? 0)),
    leftOut: all.length - shown.length,
  };
}

interface Point {
  label: string;
  values: readonly number[];
}

/** A week of a single day would look like a fall in use, so its label says that it is one day. */
function weeksOf(days: readonly DayValues[], gathering: Gathering): Point[] {
  const weeks = new Map<Day, { day: Day; values: number[]; count: number }>();
  for (const { day, values } of days) {
    const monday = mondayOf(day);
    const week = weeks.get(monday);
    if (!week) weeks.set(monday, { day, values: [...values], count: 1 });
    else {
      week.count += 1;
      week.values = week.values.map((value, index) => gather(gathering, value, values[index] ?? 0));
    }
  }
  return [...weeks.values()].map(({ day, values, count }) => ({
    label: count === 1 ? `${formatDay(day)} only` : formatDay(day),
    values,
  }));
}

const gather = (gathering: Gathering, a: number, b: number) => (gathering === 'sum' ? a + b : Math.max(a, b));

/** @example unitWords({ unit: 'week', leftOut: 3, labels, values }) // 'by week, last 20' */
export function unitWords({ unit, leftOut, labels }: Points): string {
  return leftOut > 0 ? `by week, last ${labels.length}` : `by ${unit}`;
}

/** What a reader of a chart by weeks should know; nothing for days. */
export function weekNote({ unit }: Points, gathering: Gathering): string {
  if (unit === 'day') return '';
  const what = gathering === 'sum' ? '' : ' Each shows its highest day: people of several days can’t be added.';
  return `The chart is by week, Monday to Sunday; the first and the last may be shorter.${what}`;
}

export interface NamedSeries {
  name: string;
  /** One value for each day. */
  values: readonly number[];
}

/** The largest series and the rest as one, so that a chart stays readable and nothing is lost. */
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
