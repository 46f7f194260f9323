import { context, fields, type Cell } from '../../slack/blocks/blocks.ts';
import { faultParagraph, note, NOTHING, type Paragraph } from '../../slack/blocks/paragraphs.ts';
import { markup, type Markup } from '../../base/markup.ts';
import { formatShare } from '../../base/numbers.ts';
import { changeWords, figureWords, valueMarkup } from '../sentences.ts';
import type { Figure, Known } from '../measures/figures.ts';
import { sourceMarkup, sourceText, type Source } from '../measures/source.ts';
import type { View, ViewNotes } from './view.ts';

/** Puts a view together; what could not be read, the notes and the source come last. */
export function viewOf(
  title: string,
  paragraphs: readonly Paragraph[],
  { notes, faults }: ViewNotes,
  source: Source,
  hasNames = false,
): View {
  const all = [
    ...paragraphs,
    ...faults.map((fault) => faultParagraph(`The ${fault.part}`, fault)),
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
  const number = /^[\d,.]+%?/.exec(words)?.[0] ?? '';
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
