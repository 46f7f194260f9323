import { joinMarkup, markup, mention, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import { countOf, formatCompact, formatNumber, formatShare } from '../../../core/base/text/numbers.ts';
import { formatDay } from '../../../core/base/time/calendar.ts';
import { formatAmount, formatShortAmount } from '../../../core/base/text/amounts.ts';
import { type Evidence, type EvidenceReading, type PersonEvidence } from './evidence.ts';
import type { KnownLimit, SetLimit } from '../../../core/figures/known-limit.ts';
import type { ExplainedEntry } from '../core/ledger.ts';
import type { LimitPerson } from '../core/limit-tables.ts';
import { currentLimitWords, entryWords, nameOf, shownBefore, sourceOf } from '../core/person-text.ts';

export function evidenceLines(
  reading: EvidenceReading,
  people: readonly LimitPerson[],
  history: ReadonlyMap<string, LimitHistory>,
): Markup[] {
  if (reading.kind === 'unreadable') return [markup`*Their usage couldn’t be read.* ${reading.sentence}`];
  if (reading.kind === 'withheld') return [markup`The review shows their usage.`];
  if (reading.kind === 'nothing') return [markup`*Their usage isn’t published yet.*`];
  const { evidence } = reading;
  if (evidence.total.people > evidence.people.length) return [totalLine(evidence)];
  return people.flatMap((person) => {
    const own = evidence.people.find(({ email }) => email === person.email);
    return own ? joinMarkup(personLines(evidence, own, person, history.get(person.email) ?? NO_HISTORY), '\n') : [];
  });
}

export function evidenceNote({ lastDay, longDays, readAt }: Evidence): Markup {
  const days = countOf(longDays, 'published day');
  return markup`Credits of the last ${days} (UTC) through ${formatDay(lastDay)}, read ${readerTime(new Date(readAt))}.`;
}

function totalLine({ total, shortDays, longDays }: Evidence): Markup {
  const idle =
    total.withoutCredits === 0
      ? markup``
      : markup` ${countOf(total.withoutCredits, 'of them', 'of them')} used nothing.`;
  return markup`*All ${formatNumber(total.people)} together* used ${formatCompact(total.short)} credits in the last ${countOf(shortDays, 'day')}, ${formatCompact(total.long)} in the last ${longDays}.${idle}`;
}

function personLines(
  { shortDays, longDays, peopleWithCredits }: Evidence,
  own: PersonEvidence,
  person: LimitPerson,
  history: LimitHistory,
): Markup[] {
  const name = nameOf(person);
  if (own.long === 0) {
    return [markup`${name} used no credits in the last ${countOf(longDays, 'day')}.`, historyLine(history)];
  }
  const rank =
    own.decile === null
      ? markup``
      : markup` ${placeOf(own.decile)} of ${countOf(peopleWithCredits, 'active person', 'active people')}.`;
  return [
    markup`${name} used *${formatCompact(own.short)}* credits in the last ${countOf(shortDays, 'day')}${trendOf(own)}, *${formatCompact(own.long)}* in the last ${longDays}.${rank}`,
    ...(person.removes === 1 ? [] : [markup`${besideUse(person.toValue, own.long, longDays)}`]),
    historyLine(history),
  ];
}

/** @example placeOf(2) // 'Top 20%' */
const placeOf = (decile: number): string => (decile <= 5 ? `Top ${decile * 10}%` : `Lowest ${(11 - decile) * 10}%`);

/** Below this many credits, a percentage claims more than the data shows. */
const SMALL_COUNT = 20;

/** @example trendOf({ short: 900, before: 600 }) // ' (up 50%)' */
export function trendOf({ short, before }: Pick<PersonEvidence, 'short' | 'before'>): Markup {
  if (before === null) return markup``;
  if (before === short) return markup` (the same as before)`;
  if (before < SMALL_COUNT) return markup` (${before === 0 ? 'none' : formatNumber(before)} in the 7 days before)`;
  const percent = Math.round(Math.abs(short / before - 1) * 100);
  if (percent === 0) return markup` (about the same as before)`;
  const change = percent === 100 && short > 0 && short < before ? 'more than 99' : formatNumber(percent);
  return markup` (${short > before ? 'up' : 'down'} ${change}%)`;
}

/** @example besideUse(8_000_000, 5_210_000, 28) // '8 M is 1.5 times what they used in 28 days.' */
export function besideUse(amount: number, used: number, days: number): string {
  const words = ratioWords(amount / used);
  return `${formatShortAmount(amount)} is ${words} what they used in ${countOf(days, 'day')}.`;
}

function ratioWords(ratio: number): string {
  if (Math.abs(ratio - 1) < NEARLY_SAME) return 'about';
  if (ratio > 1) return `${formatNumber(Math.round(ratio * 10) / 10)} times`;
  return `${formatShare(ratio, 1)} of`;
}

const NEARLY_SAME = 0.05;

const MAX_CHANGES = 3;

/** What is known of the limit, and what was set here, newest first. */
export interface LimitHistory {
  entries: readonly ExplainedEntry[];
  limit: KnownLimit;
}

const NO_HISTORY: LimitHistory = { entries: [], limit: { kind: 'none' } };

function historyLine({ entries, limit }: LimitHistory): Markup {
  switch (limit.kind) {
    case 'none':
      return markup`No limit was set for them here before.`;
    case 'declared':
      return markup`No limit was set for them here before. ${formatAmount(limit.value)} was declared by ${mention(limit.by)}, not set here.`;
    case 'set':
      return joinMarkup([changesLine(entries), ...temporaryLine(limit)], ' ');
    case 'shown':
    case 'unlimited':
    case 'unclear':
      return joinMarkup(
        [
          markup`The platform shows: ${currentLimitWords(undefined, undefined, shownBefore(limit))}.`,
          ...(entries.length > 0 ? [changesLine(entries)] : []),
          ...(limit.kind === 'shown' ? temporaryLine(limit) : []),
        ],
        ' ',
      );
    default:
      return limit satisfies never;
  }
}

const temporaryLine = ({ until, permanent }: Pick<SetLimit, 'until' | 'permanent'>): Markup[] =>
  until === undefined
    ? []
    : [markup`The newest is a raise until ${readerTime(until)}; the limit without it is ${formatAmount(permanent)}.`];

function changesLine(entries: readonly ExplainedEntry[]): Markup {
  const changes = entries
    .slice(0, MAX_CHANGES)
    .map((entry) => markup`${entryWords(entry)}, ${readerTime(new Date(entry.setAt))} (${sourceOf(entry)})`);
  return markup`Set before: ${joinMarkup(changes, '; ')}.`;
}
