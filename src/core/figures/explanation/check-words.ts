import type { Resource } from '../../analytics/reading/analytics-day-table.ts';
import { formatPeriod, type Day, type Period } from '../../base/time/calendar.ts';
import { markup, readerTime, withRest, type Markup } from '../../base/text/markup.ts';
import { countOf, formatCompact, formatNumber } from '../../base/text/numbers.ts';
import type { ExplainedPart } from './explanation.ts';
import type { FigureChange } from './shown-figures.ts';

const MAX_FIGURES = 8;
const MAX_TERMS = 10;

/** The facts behind the figures of these days; days that they are compared with are not read again. */
export function checkedResources(parts: readonly ExplainedPart[], { first, last }: Period): Resource[] {
  const own = parts.filter(({ days }) => days.first >= first && days.last <= last);
  return [...new Set(own.flatMap(({ facts }) => facts))];
}

interface CheckResult {
  changes: readonly FigureChange[];
  parts: readonly ExplainedPart[];
  periods: readonly Period[];
  readAt: Date;
}

/** @example 'Unchanged: 43.9 M credits on 9–15 Feb, read today at 8:01.' */
export function checkWords({ changes, parts, periods, readAt }: CheckResult, today: Day): Markup[] {
  const when = markup`${[...new Set(periods.map((one) => formatPeriod(one, today)))].join(' and ')}, read from the platform again ${readerTime(readAt)}.`;
  const [first] = parts;
  if (changes.length === 0) return [markup`✅ *Unchanged: ${mainFigure(first)}* on ${when}`];
  const lines = changes.map((change) => changeLines(change));
  const some = withRest(lines, MAX_FIGURES, (rest) => [markup`and ${countOf(rest, 'more figure')}`]);
  return [markup`✏️ *Changed* on ${when}`, ...some.flat()];
}

function mainFigure(part: ExplainedPart | undefined): string {
  if (part?.value.kind !== 'known') return 'all figures';
  const amount = formatCompact(part.value.value);
  return part.label.startsWith('Credits') ? `${amount} credits` : `${part.label} ${amount}`;
}

function changeLines({ label, before, after, terms }: FigureChange): Markup[] {
  const head = markup`•  *${label}:* ${amountWords(before)} → ${amountWords(after)}`;
  const lines = terms.map(
    (term) => markup`     ${term.name}: ${amountWords(term.before)} → ${amountWords(term.after)}`,
  );
  return [head, ...withRest(lines, MAX_TERMS, (rest) => markup`     and ${rest} more`)];
}

/** All digits, so that a small difference shows. */
const amountWords = (amount: number | undefined) => (amount === undefined ? 'not published' : formatNumber(amount));
