import { joinMarkup, markup, type Markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import type { ClassifiedChange } from '../diff/diff.ts';
import type { Verdict } from '../diff/rule.ts';
import { fullSentences, shortSentence } from '../diff/text.ts';
import type { RevisionChanges } from './revision-changes.ts';

const MARKS = {
  weaker: markup`:warning: *Weaker:* `,
  stronger: markup`:lock: *Stronger:* `,
  noted: markup`:shield: `,
  relevant: markup`:shield: `,
} as const;

export const MARKS_EXPLAINED = markup`:shield: security-related · :warning: weakens or :lock: strengthens security (judged by the setting’s name)`;

export function shortLine({ change, verdict }: ClassifiedChange): Markup {
  return joinMarkup([marked(shortSentence(change), verdict), ...reasonLine(verdict)], '\n');
}

export function plainLine({ change, verdict }: ClassifiedChange): Markup {
  const sentence = shortSentence(change);
  return verdict ? markup`${MARKS[verdict.kind]}${sentence}` : sentence;
}

export function fullLines({ change, verdict }: ClassifiedChange): Markup[] {
  return [
    ...fullSentences(change).map((sentence, index) => marked(sentence, index === 0 ? verdict : undefined)),
    ...reasonLine(verdict),
  ];
}

function marked(sentence: Markup, verdict: Verdict | undefined): Markup {
  return verdict ? markup`${MARKS[verdict.kind]}${sentence}` : markup`•  ${sentence}`;
}

/** For `relevant`, the mark alone says that the member protects something. */
function reasonLine(verdict: Verdict | undefined): Markup[] {
  return verdict === undefined || verdict.kind === 'relevant' ? [] : [markup`_${verdict.reason}_`];
}

export function revisionSummary({ changes, isComparable }: Pick<RevisionChanges, 'changes' | 'isComparable'>): string {
  return isComparable ? summaryOf(changes) : 'what it changed isn’t known yet';
}

/** @example summaryOf(changes) // '3 changes, 1 weakens security' */
export function summaryOf(changes: readonly ClassifiedChange[]): string {
  if (changes.length === 0) return 'no visible change';
  const weaker = changes.filter(({ verdict }) => verdict?.kind === 'weaker').length;
  const count = countOf(changes.length, 'change');
  if (weaker === 0) return count;
  if (weaker < changes.length) return `${count}, ${weaker} ${weaker === 1 ? 'weakens' : 'weaken'} security`;
  return weaker === 1 ? `${count} that weakens security` : `${count}, all weaken security`;
}
