import { dayStateOf, type DayState } from '../../analytics/day-state.ts';
import type { Part } from '../../analytics/facts.ts';
import type { TableOptions } from '../../slack/blocks/blocks.ts';
import { clip } from '../../markup.ts';
import { daysOf, formatDay, type Day } from '../../calendar.ts';
import { dayStateWords } from '../sentences.ts';
import type { Dated, ReportScope } from '../measures/figures.ts';
import { numberCell, STATE_COLUMN } from '../../slack/blocks/paragraphs.ts';
import type { NamedSeries, Points } from '../measures/series.ts';

/** A day of a period; `row` is missing when the day is not published: that is not zero. */
export interface DayRow<Row> {
  day: Day;
  state: DayState;
  row?: Row;
}

/** Every day of the period, with its row if it is published. None if the part could not be read. */
export function dayRowsOf<Row extends Dated>(part: Part<Row>, { period, today }: ReportScope): DayRow<Row>[] {
  if (part.kind === 'unreadable') return [];
  const byDay = new Map(part.rows.map((row) => [row.date, row]));
  return daysOf(period).map((day) => {
    const row = byDay.get(day);
    const state = dayStateOf(day, row !== undefined, today);
    return row ? { day, state, row } : { day, state };
  });
}

/** The published days with one value each, for a chart. */
export function dayValues<Row>(days: readonly DayRow<Row>[], values: (row: Row) => readonly number[]) {
  return days.flatMap(({ day, row }) => (row === undefined ? [] : [{ day, values: values(row) }]));
}

/** Slack takes 200 rows in a table; the CSV has the days before. */
const MAX_DAYS = 200;

/** A table of days: the numbers of a chart, and the state of each day. Nothing for a single day: the figures say it all. */
export function dayTable<Row>(
  caption: string,
  days: readonly DayRow<Row>[],
  columns: readonly (readonly [title: string, value: (row: Row) => number])[],
): TableOptions {
  const shown = days.slice(-MAX_DAYS);
  return {
    caption: shown.length < days.length ? `${caption}, the last ${MAX_DAYS}` : caption,
    columns: ['Day', ...columns.map(([title]) => title), STATE_COLUMN],
    rows:
      days.length < 2
        ? []
        : shown.map(({ day, state, row }) => [
            formatDay(day),
            ...columns.map(([, value]) => (row === undefined ? '–' : numberCell(value(row)))),
            dayStateWords(state),
          ]),
    pageSize: 7,
  };
}

/** The very points of a chart of several series, as a table. */
export function pointsTable(caption: string, { unit, labels }: Points, series: readonly NamedSeries[]): TableOptions {
  return {
    caption,
    columns: [unit === 'day' ? 'Day' : 'Week from', ...series.map(({ name }) => clip(name, 40) || '–')],
    rows: labels.map((label, index) => [label, ...series.map(({ values }) => numberCell(values[index] ?? 0))]),
    pageSize: 7,
  };
}
