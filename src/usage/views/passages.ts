import {
  chart,
  context,
  dataTable,
  fields,
  section,
  type Block,
  type Cell,
  type ChartWish,
  type TableWish,
} from '../../slack/blocks.ts';
import { clip, formatNumber, formatShare, joinMarkup, markup, type Markup } from '../../slack/text.ts';
import { changeWords, faultsMarkup, figureWords, valueMarkup } from '../sentences.ts';
import type { Figure, Known } from './figures.ts';
import { sourceMarkup, sourceText, type Source } from './source.ts';
import type { View, ViewNotes } from './view.ts';

/** Something that a view says: once in blocks, and again in lines of text, so that neither says more than the other. */
export interface Passage {
  blocks: readonly Block[];
  lines: readonly string[];
}

const NOTHING: Passage = { blocks: [], lines: [] };

/** Names come from outside; past this length they only push the figures out of sight. */
const MOST_LINE = 300;
/** More rows of a table than this are not repeated in the text. */
const MOST_ROWS_IN_TEXT = 31;
/** Its cells say by themselves what they are. */
export const STATE_COLUMN = 'State';

/** Puts a view together; what could not be read, the notes and the source come last. */
export function viewOf(
  title: string,
  passages: readonly Passage[],
  { notes, faults }: ViewNotes,
  source: Source,
  hasNames = false,
): View {
  const all = [
    ...passages,
    faultPassage(faults),
    ...notes.map((text) => note(text)),
    { blocks: [context(sourceMarkup(source))], lines: [sourceText(source)] },
  ];
  return {
    title,
    lines: all.flatMap(({ lines }) => lines),
    blocks: all.flatMap(({ blocks }) => blocks),
    hasNames,
  };
}

function faultPassage(faults: ViewNotes['faults']): Passage {
  return {
    blocks: faultsMarkup(faults).map((text) => section(text)),
    lines: faults.map(
      ({ part, sentence, reference }) => `The ${part} could not be read. ${sentence} Reference ${reference}.`,
    ),
  };
}

/** The point of the view, in bold. Without a full stop at its end. */
export function headline(sentence: string, below = ''): Passage {
  return {
    blocks: [section(below === '' ? markup`*${sentence}*` : markup`*${sentence}*\n${below}`)],
    lines: [`${sentence}.`, ...(below === '' ? [] : [below])],
  };
}

export function sentence(text: string): Passage {
  return text === '' ? NOTHING : { blocks: [section(markup`${text}`)], lines: [text] };
}

/** Small print. */
export function note(text: string): Passage {
  return text === '' ? NOTHING : { blocks: [context(markup`${text}`)], lines: [text] };
}

/** A titled list, or nothing when it is empty. */
export function list(title: string, lines: readonly string[]): Passage {
  if (lines.length === 0) return NOTHING;
  const short = lines.map((line) => clip(line, MOST_LINE));
  return {
    blocks: [section(joinMarkup([markup`*${title}*`, ...short.map((line) => markup`•  ${line}`)], '\n'))],
    lines: [`${title}: ${short.join('; ')}.`],
  };
}

/** A label with its figure, or with words where a number and its change would not do. */
export type LabelledFigure = readonly [label: string, figure: Known<Figure> | string];

/** Figures side by side (below each other on a phone), up to ten. */
export function figures(items: readonly LabelledFigure[]): Passage {
  const shown = items.slice(0, 10);
  if (shown.length === 0) return NOTHING;
  const words = shown.map(
    ([label, figure]) => `${label}: ${typeof figure === 'string' ? figure : figureWords(figure)}`,
  );
  return {
    blocks: [
      fields(
        shown.map(([label, figure]) =>
          typeof figure === 'string'
            ? markup`${label}\n${boldNumber(figure)}`
            : markup`${label}\n${valueMarkup(figure)}`,
        ),
      ),
    ],
    lines: [`${words.join('; ')}.`],
  };
}

/** Of words with a number in front the number is what is looked for. */
function boldNumber(words: string): Markup {
  const number = /^[\d,.]+%?/.exec(words)?.[0] ?? '';
  // What is put in loses the space in front of it.
  return number === '' ? markup`${words}` : markup`*${number}* ${words.slice(number.length)}`;
}

/** A table, said in the text row by row as far as that can be listened to. */
export function table(wish: TableWish): Passage {
  if (wish.rows.length === 0) return NOTHING;
  const rows = wish.rows.slice(0, MOST_ROWS_IN_TEXT).map((row) => rowWords(wish.columns, row));
  const left = wish.rows.length - rows.length;
  const more = left > 0 ? `; ${formatNumber(left)} more in the table` : '';
  return { blocks: [dataTable(wish)], lines: [`${wish.caption}: ${rows.join('; ')}${more}.`] };
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
export function drawing(wish: ChartWish): Passage {
  if (wish.categories.length < 2 || wish.series.length === 0) return NOTHING;
  return { blocks: [chart(wish)], lines: [] };
}

/** @example numberCell(1200) // { value: 1200, text: '1,200' } */
export function numberCell(value: number): Cell {
  return { value, text: formatNumber(value) };
}

/** A share as a cell that sorts by it. */
export function shareCell(part: number, total: number): Cell {
  return total === 0 ? '–' : { value: (part / total) * 100, text: formatShare(part, total) };
}

/** How a figure moved, as a cell that sorts by the amount. */
export function changeCell(figure: Figure): Cell {
  if (figure.before === undefined) return '–';
  return { value: figure.value - figure.before, text: changeWords(figure) || 'same' };
}
