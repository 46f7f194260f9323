import {
  chart,
  context,
  dataTable,
  header,
  message,
  section,
  type Block,
  type BlockMessage,
  type Cell,
  type ChartOptions,
  type TableOptions,
} from './blocks.ts';
import { clip, joinMarkup, markup, markupLines } from '../../markup.ts';
import { formatNumber } from '../../numbers.ts';

/** Something that an answer says: once in blocks, and again in lines of text, so that neither says more than the other. */
export interface Paragraph {
  blocks: readonly Block[];
  lines: readonly string[];
}

export const NOTHING: Paragraph = { blocks: [], lines: [] };

/** Names come from outside; past this length they only push the figures out of sight. */
const MAX_LINE = 300;
/** More rows of a table than this are not repeated in the text. */
const MAX_ROWS_IN_TEXT = 31;
/** Its cells say by themselves what they are. */
export const STATE_COLUMN = 'State';

/**
 * A message of its own.
 *
 * @param below buttons
 * @example paragraphMessage('Readiness', [headline('6 repositories'), table(options)])
 */
export function paragraphMessage(
  title: string,
  paragraphs: readonly Paragraph[],
  below: readonly Block[] = [],
): BlockMessage {
  const lines = paragraphs.flatMap((paragraph) => paragraph.lines);
  const blocks = paragraphs.flatMap((paragraph) => paragraph.blocks);
  const made = message(markupLines([title, ...lines]), [header(title), ...blocks]);
  // Whatever a long message loses at its end, the buttons stay.
  return { ...made, blocks: [...made.blocks, ...below] };
}

/** The point, in bold. Without a full stop at its end. */
export function headline(sentence: string, below = ''): Paragraph {
  return {
    blocks: [section(below === '' ? markup`*${sentence}*` : markup`*${sentence}*\n${below}`)],
    lines: [`${sentence}.`, ...(below === '' ? [] : [below])],
  };
}

export function sentence(text: string): Paragraph {
  return text === '' ? NOTHING : { blocks: [section(markup`${text}`)], lines: [text] };
}

/** Small print. */
export function note(text: string): Paragraph {
  return text === '' ? NOTHING : { blocks: [context(markup`${text}`)], lines: [text] };
}

/** A titled list, or nothing when it is empty. */
export function list(title: string, lines: readonly string[]): Paragraph {
  if (lines.length === 0) return NOTHING;
  const short = lines.map((line) => clip(line, MAX_LINE));
  return {
    blocks: [section(joinMarkup([markup`*${title}*`, ...short.map((line) => markup`•  ${line}`)], '\n'))],
    lines: [`${title}: ${short.join('; ')}.`],
  };
}

/** A table, said in the text row by row as far as that can be listened to. */
export function table(options: TableOptions): Paragraph {
  if (options.rows.length === 0) return NOTHING;
  const rows = options.rows.slice(0, MAX_ROWS_IN_TEXT).map((row) => rowWords(options.columns, row));
  const left = options.rows.length - rows.length;
  const more = left > 0 ? `; ${formatNumber(left)} more in the table` : '';
  return { blocks: [dataTable(options)], lines: [`${options.caption}: ${rows.join('; ')}${more}.`] };
}

function rowWords(columns: readonly string[], row: readonly Cell[]): string {
  const texts = row.map((cell) => clip(typeof cell === 'string' ? cell : cell.text, 80));
  const rest = texts.slice(1).map((text, index) => {
    const column = columns[index + 1] ?? '';
    return column === STATE_COLUMN ? text : `${column} ${text}`.trim();
  });
  return `${texts[0] ?? ''}: ${rest.join(', ')}`;
}

/** A chart, whose numbers must follow in a table. A chart of less than two points says nothing: it is left out. */
export function drawing(options: ChartOptions): Paragraph {
  if (options.categories.length < 2 || options.series.length === 0) return NOTHING;
  return { blocks: [chart(options)], lines: [] };
}

/** @example numberCell(1200) // { value: 1200, text: '1,200' } */
export function numberCell(value: number): Cell {
  return { value, text: formatNumber(value) };
}
