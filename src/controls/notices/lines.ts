import { section, type Block } from '../../slack/blocks/blocks.ts';
import { joinMarkup, markupLength, markup, type Markup } from '../../markup.ts';
import { countOf } from '../../numbers.ts';
import type { ClassifiedChange } from '../diff/diff.ts';
import type { Verdict } from '../diff/rules.ts';
import { fullSentences, shortSentence } from '../diff/text.ts';

/** Below the 3,000 that Slack takes in a section. */
const MAX_SECTION_LENGTH = 2_900;

const MARKS = { weaker: markup`:warning: *Weaker:* `, noted: markup`:shield: `, relevant: markup`:shield: ` } as const;

/** What the marks mean, for those who see one for the first time. */
export const MARKS_EXPLAINED = markup`:shield: guards something, by its name. :warning: guards less than before, by its name.`;

/** A change in a line or two: what, and why it is marked. */
export function shortLine({ change, verdict }: ClassifiedChange): Markup {
  return joinMarkup([marked(shortSentence(change), verdict), ...reasonLine(verdict)], '\n');
}

/** A change in one line, without a bullet. */
export function plainLine({ change, verdict }: ClassifiedChange): Markup {
  const sentence = shortSentence(change);
  return verdict ? markup`${MARKS[verdict.kind]}${sentence}` : sentence;
}

/** A change with all that it holds. */
export function fullLines({ change, verdict }: ClassifiedChange): Markup[] {
  return [
    ...fullSentences(change).map((sentence, index) => marked(sentence, index === 0 ? verdict : undefined)),
    ...reasonLine(verdict),
  ];
}

function marked(sentence: Markup, verdict: Verdict | undefined): Markup {
  return verdict ? markup`${MARKS[verdict.kind]}${sentence}` : markup`•  ${sentence}`;
}

/** That something guards is said by its mark alone. */
function reasonLine(verdict: Verdict | undefined): Markup[] {
  return verdict === undefined || verdict.kind === 'relevant' ? [] : [markup`_${verdict.reason}_`];
}

/** Puts lines into as few sections as they fit into. */
export function sectionsOf(lines: readonly Markup[]): Block[] {
  const packed: Markup[][] = [];
  let length = Infinity;
  for (const line of lines) {
    length += markupLength(line) + 1;
    if (length > MAX_SECTION_LENGTH) {
      packed.push([line]);
      length = markupLength(line);
    } else packed.at(-1)?.push(line);
  }
  return packed.map((some) => section(joinMarkup(some, '\n')));
}

/** Splits lines into parts, each of which fits into one message. */
export function partsOf(lines: readonly Markup[], longest: number): Markup[][] {
  const parts: Markup[][] = [];
  let length = Infinity;
  for (const line of lines) {
    length += markupLength(line) + 1;
    if (length > longest) {
      parts.push([line]);
      length = markupLength(line);
    } else parts.at(-1)?.push(line);
  }
  return parts;
}

/** @example summaryOf(changes) // '3 changes, 1 of them weaker' */
export function summaryOf(changes: readonly ClassifiedChange[]): string {
  if (changes.length === 0) return 'nothing that can be seen';
  const weaker = changes.filter(({ verdict }) => verdict?.kind === 'weaker').length;
  const count = countOf(changes.length, 'change');
  if (weaker === 0) return count;
  return weaker === changes.length
    ? `${count}, ${weaker === 1 ? 'weaker' : 'all weaker'}`
    : `${count}, ${weaker} of them weaker`;
}
