import type { Audience } from '../../../core/slack/people/audience.ts';
import {
  type Block,
  type BlockMessage,
  type Cell,
  type ChartOptions,
  context,
  fields,
} from '../../../core/slack/blocks/blocks.ts';
import type { UserError } from '../../../core/slack/blocks/faults.ts';
import {
  NOTHING,
  type Paragraph,
  STATE_COLUMN,
  type TableOptions,
  chartParagraph,
  chartWithTextNumbers,
  faultParagraph,
  note,
  numberCell,
  paragraphMessage,
  table,
} from '../../../core/slack/blocks/paragraphs.ts';
import { type Markup, clip, markup, plainLines } from '../../../core/base/text/markup.ts';
import { formatDay, formatPeriod } from '../../../core/base/time/calendar.ts';
import { formatShare } from '../../../core/base/text/numbers.ts';
import {
  type NamedSeries,
  type Points,
  type WeekAggregation,
  changeWords,
  figureWords,
  pointsOf,
  unitWords,
  valueMarkup,
  weekNote,
} from '../../../core/figures/measures/sentences.ts';
import {
  type DayRow,
  type Figure,
  type Measurement,
  STATE_WORDS,
  type Source,
  shortSourceWords,
  sourceWords,
} from '../../../core/figures/measures/figures.ts';
import type { Column } from '../../../core/base/text/columns.ts';

export interface View {
  title: string;
  /** The content of the blocks, for notifications and screen readers; not escaped yet. */
  lines: readonly string[];
  /** The content without title and buttons. */
  blocks: readonly Block[];
  /** The content that matters for decisions: about one screen of a phone. */
  short: Paragraph;
  /** The details; undefined if the short form is complete. */
  more?: Paragraph | undefined;
  /** Whether it names single people, so that sharing requires a confirmation. */
  hasNames: boolean;
  /** The offset of the next rows, if a table did not fit. */
  next?: number | undefined;
}

/** A view with the readers that it was built for: only a view for a channel can be posted to one. */
export interface AddressedView<Readers extends Audience> extends View {
  readers: Readers;
}

export interface ViewNotes {
  /** Remarks about the period, for example that it was cut. */
  notes: readonly string[];
  faults: readonly ({ part: string } & UserError)[];
}

export function viewMessage(view: View, ...below: readonly Paragraph<never>[]): BlockMessage {
  return paragraphMessage(view.title, [view], ...below);
}

/** @param below buttons */
export function shortMessage(view: View, ...below: readonly Paragraph<never>[]): BlockMessage {
  return paragraphMessage(view.title, [view.short], ...below);
}

/** @param below buttons */
export function moreMessage({ title, short, more }: View, ...below: readonly Paragraph<never>[]): BlockMessage {
  return paragraphMessage(`Details: ${title}`, [more ?? short], ...below);
}

/** A paragraph with its own wording, or none, in the short form of a view. */
export interface LayeredParagraph {
  whole: Paragraph;
  short: Paragraph;
  more: Paragraph;
}

export const inMore = (paragraph: Paragraph): LayeredParagraph => ({
  whole: paragraph,
  short: NOTHING,
  more: paragraph,
});

/** Draws a chart: a table in the details has its numbers; in the short form, the plain text has them. */
export function layeredDrawing(options: ChartOptions): LayeredParagraph {
  return { whole: chartParagraph(options), short: chartWithTextNumbers(options), more: NOTHING };
}

export function layeredFigures(items: readonly LabelledFigure[], inShort: number): LayeredParagraph {
  return {
    whole: figures(items),
    short: figures(items.slice(0, inShort)),
    more: figures(items.slice(inShort)),
  };
}

const layered = (part: Paragraph | LayeredParagraph): LayeredParagraph =>
  'whole' in part ? part : { whole: part, short: part, more: NOTHING };

export const wholeOf = (parts: readonly (Paragraph | LayeredParagraph)[]): Paragraph[] =>
  parts.map((part) => layered(part).whole);

function together(paragraphs: readonly Paragraph[]): Paragraph {
  return { blocks: paragraphs.flatMap(({ blocks }) => blocks), lines: paragraphs.flatMap(({ lines }) => lines) };
}

/** Assembles a view, titled by its name and its days; unreadable parts, notes and the source come last. */
export function viewOf(
  name: string,
  { source, notes: { notes, faults }, hasNames = false }: { source: Source; notes: ViewNotes; hasNames?: boolean },
  parts: readonly (Paragraph | LayeredParagraph)[],
): View {
  const layers = parts.map(layered);
  const unread = faults.map((fault) => faultParagraph(`The ${fault.part}`, fault));
  const { small, text } = sourceWords(source);
  const sourceNote = { blocks: [context(small)], lines: [text] };
  const more = layers.map((layer) => layer.more).filter(({ blocks }) => blocks.length > 0);
  return {
    title: `${name}, ${formatPeriod(source.period, source.today)}`,
    ...together([...layers.map(({ whole }) => whole), ...unread, ...notes.map((text) => note(text)), sourceNote]),
    short: together([...layers.map(({ short }) => short), ...unread, finePrint(source, notes)]),
    more: more.length === 0 ? undefined : together([...more, sourceNote]),
    hasNames,
  };
}

/** For answers that name their days themselves. */
export function sourceNote(source: Source): Paragraph {
  const { small, text } = shortSourceWords(source);
  return { blocks: [context(small)], lines: [text] };
}

/** Slack accepts ten texts in a context block. */
const MAX_NOTES = 8;

function finePrint(source: Source, notes: readonly string[]): Paragraph {
  const visibleNotes = notes.slice(0, MAX_NOTES);
  const { small, text } = shortSourceWords(source);
  return {
    blocks: [context(small, ...plainLines(...visibleNotes))],
    lines: [text, ...visibleNotes],
  };
}

export type LabelledFigure = readonly [label: string, figure: Measurement<Figure> | string];

/** Shows up to ten figures side by side (below each other on a phone). */
export function figures(items: readonly LabelledFigure[]): Paragraph {
  const visibleItems = items.slice(0, 10);
  if (visibleItems.length === 0) return NOTHING;
  const words = visibleItems.map(
    ([label, figure]) => `${label}: ${typeof figure === 'string' ? figure : figureWords(figure)}`,
  );
  return {
    blocks: [
      fields(
        visibleItems.map(([label, figure]) =>
          typeof figure === 'string'
            ? markup`${label}\n${boldNumber(figure)}`
            : markup`${label}\n${valueMarkup(figure)}`,
        ),
      ),
    ],
    lines: [`${words.join('; ')}.`],
  };
}

/** Makes the number at the beginning bold, because readers look for it. */
function boldNumber(words: string): Markup {
  const number = /^[\d,.]+(?:%| [KMBT](?= |$))?/.exec(words)?.[0] ?? '';
  // Text that is put into `markup` loses its leading space, so the template repeats it.
  return number === '' ? markup`${words}` : markup`*${number}* ${words.slice(number.length)}`;
}

/** Shows a share, sorted by its value. */
export function shareCell(part: number, total: number): Cell {
  return total === 0 ? '–' : { value: (part / total) * 100, text: formatShare(part, total) };
}

/** Shows the change of a figure that is a part of `all`, sorted by its amount. */
export function changeCell(figure: Figure, all: number): Cell {
  if (figure.before === undefined) return '–';
  return { value: figure.value - figure.before, text: changeWords(figure, all) || 'same' };
}

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

export function creditsChart(days: readonly DayRow<{ billable_tokens: number }>[]): LayeredParagraph[] {
  return byDay({
    title: 'Credits',
    aggregation: 'sum',
    days,
    series: [{ title: 'Credits', cell: (row) => row.billable_tokens }],
    caption: 'Credits by day, UTC',
    columns: [{ title: 'Credits', cell: (row) => row.billable_tokens }],
  });
}
