import { joinMarkup, markup, type Markup } from '../../base/markup.ts';
import { countOf } from '../../base/numbers.ts';
import type { ClassifiedChange } from '../diff/diff.ts';
import type { Verdict } from '../diff/rules.ts';
import { fullSentences, shortSentence } from '../diff/text.ts';

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
