import { context, fields, type Cell, type ChartOptions } from '../../slack/blocks/blocks.ts';
import {
  drawing,
  faultParagraph,
  lonelyDrawing,
  note,
  NOTHING,
  type Paragraph,
} from '../../slack/blocks/paragraphs.ts';
import { linesOf, markup, type Markup } from '../../base/text/markup.ts';
import { formatPeriod } from '../../base/time/calendar.ts';
import { formatShare } from '../../base/text/numbers.ts';
import { changeWords, figureWords, valueMarkup } from '../../figures/sentences.ts';
import type { Figure, Known } from '../../figures/measures/figures.ts';
import { shortSourceWords, sourceWords, type Source } from '../../figures/measures/source.ts';
import type { View, ViewNotes } from './view.ts';

/** A paragraph that is put in another way in the short form of a view, or is left out there. */
export interface Layered {
  whole: Paragraph;
  short: Paragraph;
  /** Behind the short form. */
  more: Paragraph;
}

/** What is no part of the short form. */
export const inMore = (paragraph: Paragraph): Layered => ({ whole: paragraph, short: NOTHING, more: paragraph });

/** A chart: its numbers stand in a table behind it, and in the short form, which has no table, in the text. */
export function layeredDrawing(options: ChartOptions): Layered {
  return { whole: drawing(options), short: lonelyDrawing(options), more: NOTHING };
}

/** Of labelled figures the first few are in the short form, and the others behind it. */
export function layeredFigures(items: readonly LabelledFigure[], inShort: number): Layered {
  return {
    whole: figures(items),
    short: figures(items.slice(0, inShort)),
    more: figures(items.slice(inShort)),
  };
}

const layered = (part: Paragraph | Layered): Layered =>
  'whole' in part ? part : { whole: part, short: part, more: NOTHING };

export const wholeOf = (parts: readonly (Paragraph | Layered)[]): Paragraph[] =>
  parts.map((part) => layered(part).whole);

function together(paragraphs: readonly Paragraph[]): Paragraph {
  return { blocks: paragraphs.flatMap(({ blocks }) => blocks), lines: paragraphs.flatMap(({ lines }) => lines) };
}

/** Puts a view together, titled by its name and its days; what could not be read, the notes and the source come last. */
export function viewOf(
  name: string,
  { source, notes: { notes, faults }, hasNames = false }: { source: Source; notes: ViewNotes; hasNames?: boolean },
  parts: readonly (Paragraph | Layered)[],
): View {
  const layers = parts.map(layered);
  const unread = faults.map((fault) => faultParagraph(`The ${fault.part}`, fault));
  const { small, text } = sourceWords(source);
  const sourceNote = { blocks: [context(small)], lines: [text] };
  const more = layers.map((layer) => layer.more).filter(({ blocks }) => blocks.length > 0);
  return {
    title: `${name}, ${formatPeriod(source.period)}`,
    ...together([...layers.map(({ whole }) => whole), ...unread, ...notes.map((text) => note(text)), sourceNote]),
    short: together([...layers.map(({ short }) => short), ...unread, finePrint(source, notes)]),
    more: more.length === 0 ? undefined : together([...more, sourceNote]),
    hasNames,
  };
}

/** Slack takes ten texts in a line of small print. */
const MAX_NOTES = 8;

/** What there is to know of the figures, in one place. */
function finePrint(source: Source, notes: readonly string[]): Paragraph {
  const shown = notes.slice(0, MAX_NOTES);
  const { small, text } = shortSourceWords(source);
  return {
    blocks: [context(small, ...linesOf(...shown))],
    lines: [text, ...shown],
  };
}

/** A label with its figure, or with words where a number and its change would not do. */
export type LabelledFigure = readonly [label: string, figure: Known<Figure> | string];

/** Figures side by side (below each other on a phone), up to ten. */
export function figures(items: readonly LabelledFigure[]): Paragraph {
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
  const number = /^[\d,.]+(?:%| [KMBT](?= |$))?/.exec(words)?.[0] ?? '';
  // What is put in loses the space in front of it.
  return number === '' ? markup`${words}` : markup`*${number}* ${words.slice(number.length)}`;
}

/** A share as a cell that sorts by it. */
export function shareCell(part: number, total: number): Cell {
  return total === 0 ? '–' : { value: (part / total) * 100, text: formatShare(part, total) };
}

/** How a figure moved that is a part of `all`, as a cell that sorts by the amount. */
export function changeCell(figure: Figure, all: number): Cell {
  if (figure.before === undefined) return '–';
  return { value: figure.value - figure.before, text: changeWords(figure, all) || 'same' };
}
