import { context, fields, type Cell, type ChartOptions } from '../../../core/slack/blocks/blocks.ts';
import {
  chartParagraph,
  faultParagraph,
  chartWithTextNumbers,
  note,
  NOTHING,
  type Paragraph,
} from '../../../core/slack/blocks/paragraphs.ts';
import { plainLines, markup, type Markup } from '../../../core/base/text/markup.ts';
import { formatPeriod } from '../../../core/base/time/calendar.ts';
import { formatShare } from '../../../core/base/text/numbers.ts';
import { changeWords, figureWords, valueMarkup } from '../../../core/figures/measures/sentences.ts';
import type { Figure, Measurement } from '../../../core/figures/measures/figures.ts';
import { shortSourceWords, sourceWords, type Source } from '../../../core/figures/measures/source.ts';
import type { View, ViewNotes } from './view-parts.ts';

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
