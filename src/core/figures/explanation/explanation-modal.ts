import type { AnalyticsDays } from '../../analytics/days.ts';
import type { Names } from '../../base/privacy/disclosure.ts';
import type { Day } from '../../base/time/calendar.ts';
import { clipMarkup, joinMarkup, markup, type Markup } from '../../base/text/markup.ts';
import { formatNumber } from '../../base/text/numbers.ts';
import { button, context, section, type Block, type Button } from '../../slack/blocks/blocks.ts';
import { blocksOf, buttonRow } from '../../slack/blocks/paragraphs.ts';
import { modal, type ModalView } from '../../slack/blocks/views.ts';
import type { Measurement } from '../measures/figures.ts';
import { dayReadingWords, originOf, readDayReadings } from './day-readings.ts';
import type { ExplainedPart, Term } from './explanation.ts';
import { explanationMetadata } from './shown-figures.ts';

export const EXPLANATION_TITLE = 'How was this worked out?';
const MAX_TEXT = 2_500;

export const explainButton = (actionId: string, value: string): Button =>
  button({ text: EXPLANATION_TITLE, actionId, value });

export interface Explanation {
  /** What is explained: the title of the answer or digest. */
  title: string;
  parts: readonly ExplainedPart[];
  /** Comes back with a click on *Check now*: the words of a command, or the key of a digest. */
  about: string;
  /** The action of *Check now*; undefined if these days cannot be checked. */
  checkAction: string | undefined;
  result?: readonly Markup[];
  names: Names;
}

export async function explanationModal(
  { days }: { days: Pick<AnalyticsDays, 'stored'> },
  { title, parts, about, checkAction, result = [], names }: Explanation,
  today: Day,
): Promise<ModalView> {
  const groups = [...Map.groupBy(parts, originOf).values()];
  const explained = await Promise.all(
    groups.map(async (group): Promise<Block[]> => {
      const [first] = group;
      if (!first) return [];
      const readings = await readDayReadings(days, first, today);
      return [...group.flatMap(partBlocks), context(dayReadingWords(readings, today))];
    }),
  );
  const check = checkAction === undefined ? [] : [button({ text: 'Check now', actionId: checkAction, value: 'check' })];
  return {
    ...modal({
      title: EXPLANATION_TITLE,
      blocks: [
        ...(result.length > 0 ? [section(result)] : []),
        section(markup`*${title}*\nDays are UTC days.`),
        ...blocksOf([buttonRow(...check)]),
        ...explained.flat(),
      ],
      metadata: explanationMetadata(about, parts),
    }),
    names,
  };
}

function partBlocks({ label, value, formula, terms = [] }: ExplainedPart): Block[] {
  const text = section(markup`*${label}: ${valueWords(value)}*\n${formula}`);
  return terms.length === 0 ? [text] : [text, context(termsWords(terms))];
}

function valueWords(value: Measurement<number>): string {
  if (value.kind === 'known') return formatNumber(value.value);
  return value.kind === 'unreadable' ? 'could not be read' : 'not published yet';
}

function termsWords(terms: readonly Term[]): Markup {
  const words = terms.map(
    ({ name, value }) => markup`${name}: ${value === undefined ? 'not published' : formatNumber(value)}`,
  );
  return clipMarkup(joinMarkup(words, '  ·  '), MAX_TEXT);
}
