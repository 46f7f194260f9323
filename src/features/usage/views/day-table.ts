import type { Column } from '../../../core/base/text/columns.ts';
import { clip } from '../../../core/base/text/markup.ts';
import { formatDay } from '../../../core/base/time/calendar.ts';
import { STATE_WORDS } from '../../../core/figures/measures/sentences.ts';
import type { DayRow } from '../../../core/figures/measures/day-rows.ts';
import { note, numberCell, STATE_COLUMN, table, type TableOptions } from '../../../core/slack/blocks/paragraphs.ts';
import { inMore, layeredDrawing, type LayeredParagraph } from './paragraphs.ts';
import {
  pointsOf,
  unitWords,
  weekNote,
  type WeekAggregation,
  type NamedSeries,
  type Points,
} from '../../../core/figures/measures/series.ts';

/** Slack accepts 200 rows in a table; the CSV has the earlier days. */
const MAX_DAYS = 200;

/** A table of a chart’s numbers with the state of each day; empty for a single day, whose figures are shown anyway. */
export function dayTable<Row>(
  caption: string,
  days: readonly DayRow<Row>[],
  columns: readonly Column<Row, number | undefined>[],
): TableOptions<DayRow<Row>> {
  const visibleDays = days.slice(-MAX_DAYS);
  return {
    caption: visibleDays.length < days.length ? `${caption}, the last ${MAX_DAYS}` : caption,
    columns: [
      { title: 'Day', cell: ({ day }) => formatDay(day) },
      ...columns.map(({ title, cell }) => ({
        title,
        cell: ({ row }: DayRow<Row>) => {
          const value = row && cell(row);
          return value === undefined ? '–' : numberCell(value);
        },
      })),
      { title: STATE_COLUMN, cell: ({ state }) => STATE_WORDS[state] },
    ],
    rows: days.length < 2 ? [] : visibleDays,
    pageSize: 7,
  };
}

export function pointsTable(
  caption: string,
  { unit, labels }: Points,
  series: readonly NamedSeries[],
): TableOptions<{ label: string; index: number }> {
  return {
    caption,
    columns: [
      { title: unit === 'day' ? 'Day' : 'Week from', cell: ({ label }) => label },
      ...series.map(({ name, values }) => ({
        title: clip(name, 40) || '–',
        cell: ({ index }: { index: number }) => numberCell(values[index] ?? 0),
      })),
    ],
    rows: labels.map((label, index) => ({ label, index })),
    pageSize: 7,
  };
}

interface ByDay<Row> {
  title: string;
  /** By default a line for many days, and bars for few. */
  kind?: 'bar' | 'line';
  aggregation: WeekAggregation;
  days: readonly DayRow<Row>[];
  series: readonly Column<Row, number>[];
  caption: string;
  /** An unknown value appears as a dash. */
  columns: readonly Column<Row, number | undefined>[];
}

/** Shows figures by day: a chart, its numbers and a note about weeks. */
export function byDay<Row>({
  title,
  kind,
  aggregation,
  days,
  series,
  caption,
  columns,
}: ByDay<Row>): LayeredParagraph[] {
  const published = days.flatMap(({ day, row }) =>
    row === undefined ? [] : [{ day, values: series.map(({ cell }) => cell(row)) }],
  );
  const points = pointsOf(published, aggregation);
  const isLong = points.unit === 'day' && points.labels.length > 10;
  return [
    layeredDrawing({
      kind: kind ?? (isLong ? 'line' : 'bar'),
      title: `${title} ${unitWords(points)}${points.unit === 'week' && aggregation === 'peak' ? ', highest day' : ''}`,
      categories: points.labels,
      series: points.values.map((values, index) => ({ name: series[index]?.title ?? '', values })),
    }),
    inMore(table(dayTable(caption, days, columns))),
    inMore(note(days.length < 2 ? '' : weekNote(points, aggregation))),
  ];
}
