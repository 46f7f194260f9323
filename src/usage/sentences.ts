import type { ToldFault } from '../slack/faults.ts';
import { formatDay, formatPeriod, type Period } from '../slack/periods.ts';
import { countOf, formatNumber, markup, type Markup, readerTime, utcTime } from '../slack/text.ts';
import type { DayState } from './day-state.ts';
import type { DayCredits, Figure, Known } from './report.ts';

/** How a figure moved, in words: an arrow alone says nothing to those who hear it. */
export function changeWords(figure: Figure): string {
  if (figure.before === undefined) return '';
  if (figure.before === 0) return figure.value === 0 ? 'same' : 'up from 0';
  const ratio = figure.value / figure.before - 1;
  const percent = Math.round(Math.abs(ratio) * 100);
  if (percent === 0) return 'about the same';
  return `${ratio > 0 ? 'up' : 'down'} ${formatNumber(percent)}%`;
}

/** @example figureWords({ kind: 'known', value: { value: 12, before: 10 } }) // '12 (up 20%)' */
export function figureWords(known: Known<Figure>): string {
  if (known.kind === 'unreadable') return 'could not be read';
  if (known.kind === 'unpublished') return 'not published yet';
  const change = changeWords(known.value);
  return change === '' ? formatNumber(known.value.value) : `${formatNumber(known.value.value)} (${change})`;
}

/** The same as `figureWords`, the number in bold. */
export function figureMarkup(label: string, known: Known<Figure>): Markup {
  if (known.kind !== 'known') return markup`${label}\n_${figureWords(known)}_`;
  const change = changeWords(known.value);
  return markup`${label}\n*${formatNumber(known.value.value)}*${change === '' ? '' : `  ${change}`}`;
}

const STATE_WORDS: Record<DayState, string> = {
  open: 'not over yet',
  unpublished: 'not published',
  fresh: 'may still change',
  settled: 'settled',
};

/** @example dayCell({ day, state: 'unpublished' }) // 'not published' */
export function dayStateWords(state: DayState): string {
  return STATE_WORDS[state];
}

/** How many days are in which state, such as `5 days settled, 2 may still change`. */
export function stateSummary(days: readonly DayCredits[]): string {
  const order: readonly DayState[] = ['settled', 'fresh', 'unpublished', 'open'];
  const counts = order.map((state) => [state, days.filter((day) => day.state === state).length] as const);
  return counts
    .filter(([, count]) => count > 0)
    .map(
      ([state, count], index) => `${index === 0 ? countOf(count, 'day') : formatNumber(count)} ${STATE_WORDS[state]}`,
    )
    .join(', ');
}

/** Where and when the figures come from; under every answer. */
export function sourceMarkup(period: Period, days: readonly DayCredits[], readAt: Date): Markup {
  return markup`${formatPeriod(period)}, UTC days  ·  ${stateSummary(days)}  ·  read ${readerTime(readAt)}`;
}

export function sourceText(period: Period, days: readonly DayCredits[], readAt: Date): string {
  return `${formatPeriod(period)}, UTC days; ${stateSummary(days)}; read ${utcTime(readAt)}.`;
}

/** What could not be read, by name, with the reference of each fault. */
export function faultsMarkup(faults: readonly ({ part: string } & ToldFault)[]): Markup[] {
  return faults.map(
    ({ part, sentence, reference }) => markup`*The ${part} could not be read.* ${sentence} Reference \`${reference}\``,
  );
}

/** @example creditsHeadline({ kind: 'known', value: { value: 1200, before: 1000 } }, before) // '1,200 Standard Credits, up 20% from …' */
export function creditsHeadline(credits: Known<Figure>, comparedWith: Period | undefined): string {
  if (credits.kind === 'unreadable') return 'The Standard Credits could not be read';
  if (credits.kind === 'unpublished') return 'The Standard Credits are not published yet';
  const { value, before } = credits.value;
  const amount = `${formatNumber(value)} Standard Credits`;
  if (before === undefined || !comparedWith) return amount;
  return `${amount}, ${changeWords(credits.value)} ${before === 0 ? 'in' : `from ${formatNumber(before)} in`} ${periodWords(comparedWith)}`;
}

function periodWords(period: Period): string {
  return period.first === period.last ? formatDay(period.first) : formatPeriod(period);
}
