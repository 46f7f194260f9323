import type { UserError } from './faults.ts';
import {
  actions,
  chart,
  context,
  dataTable,
  divider,
  header,
  message,
  section,
  type Block,
  type BlockMessage,
  type Button,
  type Cell,
  type ChartOptions,
  type Menu,
} from './blocks.ts';
import type { Column } from '../../base/text/columns.ts';
import {
  type Markup,
  clip,
  joinMarkup,
  markup,
  markupLines,
  own,
  packLines,
  readerTime,
  shieldCommands,
  utcTime,
} from '../../base/text/markup.ts';
import { formatNumber } from '../../base/text/numbers.ts';

/** The blocks and the lines have the same contents. */
export interface Paragraph<Line extends string | Markup = string> {
  blocks: readonly Block[];
  lines: readonly Line[];
}

export type AnyParagraph = Paragraph<string | Markup>;

export const NOTHING: Paragraph<never> = { blocks: [], lines: [] };

/** Below Slack's limit of 3,000 characters for a section. */
const MAX_SECTION_LENGTH = 2_900;
/** The limit for names from outside. Longer ones would push the figures out of sight. */
const MAX_LINE = 300;
/** The text of a message repeats at most this many rows of a table. */
const MAX_ROWS_IN_TEXT = 31;
/** The title of a column whose cells explain themselves, so the text leaves it out. */
export const STATE_COLUMN = 'State';

/**
 * If a long message loses blocks at its end, the parts in `below` remain.
 *
 * @example paragraphMessage('Readiness', [headline('6 repositories'), table(options)], buttonRow(more))
 */
export function paragraphMessage(
  title: string,
  paragraphs: readonly AnyParagraph[],
  ...below: readonly Paragraph<never>[]
): BlockMessage {
  const whole = messageOf(heading(title), ...paragraphs);
  return { ...whole, blocks: [...whole.blocks, ...blocksOf(below)] };
}

export function messageOf(...paragraphs: readonly AnyParagraph[]): BlockMessage {
  const { text, blocks } = contentsOf(paragraphs);
  return message(text, blocks);
}

export const blocksOf = (paragraphs: readonly AnyParagraph[]): Block[] => paragraphs.flatMap(({ blocks }) => blocks);

export const heading = (title: string): Paragraph => ({ blocks: [header(title)], lines: [title] });

/** No block if there are no lines. */
export function prose(text: Markup | readonly Markup[], separator = '\n'): Paragraph<Markup> {
  const lines = 'map' in text ? text : [text];
  return lines.length === 0 ? NOTHING : { blocks: [section(joinMarkup(lines, separator))], lines };
}

/** Uses as few sections as possible. */
export function longProse(lines: readonly Markup[]): Paragraph<Markup> {
  return { blocks: packLines(lines, MAX_SECTION_LENGTH).map((some) => section(some)), lines };
}

export function smallPrint(...texts: readonly Markup[]): Paragraph<Markup> {
  return texts.length === 0 ? NOTHING : { blocks: [context(...texts)], lines: texts };
}

/** Lines that the reader copies as they are. */
export function copied(text: string): Paragraph<Markup> {
  const elements = [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }];
  return { blocks: [{ type: 'rich_text', elements }], lines: [markup`\`${text}\``] };
}

/** Has no line of text, because nothing on buttons has to be read. */
export function buttonRow(...buttons: readonly (Button | Menu)[]): Paragraph<never> {
  return buttons.length === 0 ? NOTHING : { blocks: [actions(...buttons)], lines: [] };
}

export const rule = (): Paragraph<never> => ({ blocks: [divider()], lines: [] });

export function faultParagraph(what: string, { sentence: why, reference }: UserError): Paragraph {
  return {
    blocks: [section(markup`*${what} could not be read.* ${why} Reference \`${reference}\``)],
    lines: [`${what} could not be read. ${why} Reference ${reference}.`],
  };
}

/** Leaves out rows without a value. */
export function codeLines(rows: readonly (readonly [label: string, value: string | null | undefined])[]): Paragraph {
  const filledRows = rows.flatMap(([label, value]) => (value ? [{ label, value: clip(value, MAX_LINE) }] : []));
  return {
    blocks: [section(filledRows.map(({ label, value }) => markup`${label}  \`${value}\``))],
    lines: filledRows.map(({ label, value }) => shieldCommands(`${label}: ${value}`)),
  };
}

export function contentsOf(paragraphs: readonly AnyParagraph[]): { blocks: Block[]; text: Markup } {
  return { blocks: blocksOf(paragraphs), text: markupLines(paragraphs.flatMap(({ lines }) => lines)) };
}

/** The main point, in bold, without a full stop. */
export function headline(sentence: string, below = ''): Paragraph {
  return {
    blocks: [section(below === '' ? markup`*${own(sentence)}*` : markup`*${own(sentence)}*\n${own(below)}`)],
    lines: [sentence.endsWith('…') ? sentence : `${sentence}.`, ...(below === '' ? [] : [below])],
  };
}

export function sentence(text: string): Paragraph {
  return text === '' ? NOTHING : { blocks: [section(markup`${own(text)}`)], lines: [text] };
}

export function note(text: string): Paragraph {
  return text === '' ? NOTHING : { blocks: [context(markup`${own(text)}`)], lines: [text] };
}

/** Readers see the time in their time zone, and in the plain text in UTC. */
export function noteAt(before: string, instant: Date, after = '.'): Paragraph {
  return {
    blocks: [context(markup`${own(before)} ${readerTime(instant)}${after}`)],
    lines: [`${before} ${utcTime(instant)}${after}`],
  };
}

/** Nothing if the list is empty. */
export function list(title: string, lines: readonly string[]): Paragraph {
  if (lines.length === 0) return NOTHING;
  const short = lines.map((line) => clip(line, MAX_LINE));
  return {
    blocks: [section([markup`*${title}*`, ...short.map((line) => markup`•  ${line}`)])],
    lines: [shieldCommands(`${title}: ${short.join('; ')}.`)],
  };
}

export interface TableOptions<Row> {
  /** Read aloud before the table. */
  caption: string;
  columns: readonly Column<Row, Cell>[];
  rows: readonly Row[];
  /** 1 to 100. */
  pageSize?: number;
}

/** A table. The text repeats its rows, up to a number that is bearable to listen to. */
export function table<Row>({ caption, columns, rows, pageSize }: TableOptions<Row>): Paragraph {
  if (rows.length === 0) return NOTHING;
  const titles = columns.map(({ title }) => title);
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  const rowTexts = cells.slice(0, MAX_ROWS_IN_TEXT).map((row) => rowWords(titles, row));
  const remaining = rows.length - rowTexts.length;
  const more = remaining > 0 ? `; ${formatNumber(remaining)} more in the table` : '';
  return {
    blocks: [dataTable({ caption, columns: titles, rows: cells, ...(pageSize ? { pageSize } : {}) })],
    lines: [shieldCommands(`${caption}: ${rowTexts.join('; ')}${more}.`)],
  };
}

function rowWords(columns: readonly string[], row: readonly Cell[]): string {
  const texts = row.map((cell) => clip(typeof cell === 'string' ? cell : cell.text, 80));
  const rest = texts.slice(1).map((text, index) => {
    const column = columns[index + 1] ?? '';
    return column === STATE_COLUMN ? text : `${column} ${text}`.trim();
  });
  return `${texts[0] ?? ''}: ${rest.join(', ')}`;
}

/** The numbers must follow in a table. A chart of fewer than two points shows nothing and is left out. */
export function chartParagraph(options: ChartOptions): Paragraph {
  if (options.categories.length < 2 || options.series.length === 0) return NOTHING;
  return { blocks: [chart(options)], lines: [] };
}

export function chartWithTextNumbers(options: ChartOptions): Paragraph {
  const { title, categories, series } = options;
  const amounts = (index: number) =>
    series
      .map(({ name, values }) => {
        const amount = formatNumber(values[index] ?? 0);
        return series.length === 1 ? amount : `${clip(name, 40)} ${amount}`;
      })
      .join(', ');
  const numbers = categories.map((category, index) => `${category} ${amounts(index)}`);
  return {
    ...chartParagraph(options),
    lines: chartParagraph(options).blocks.length === 0 ? [] : [shieldCommands(`${title}: ${numbers.join('; ')}.`)],
  };
}

/** @example numberCell(1200) // { value: 1200, text: '1,200' } */
export const numberCell = (value: number): Cell => ({ value, text: formatNumber(value) });
