import {
  DAYS_IN_A_WEEK,
  formatDay,
  formatPeriod,
  lengthOf,
  weekdayName,
  type Day,
  type Period,
} from '../../../core/base/time/calendar.ts';
import { type Cost, costNote, countOf, formatCompact } from '../../../core/base/text/numbers.ts';
import { placeIn, rangeWords, type UnusualDays } from '../../../core/figures/insight/unusual.ts';
import type { Figure, Measurement, ReportScope } from '../../../core/figures/measures/figures.ts';
import { comparisonWords, usedAmount, usualWords } from '../../../core/figures/measures/sentences.ts';

/** In periods up to this length each day is compared with its own usual range; a longer sum has none. */
const MAX_JUDGED_DAYS = 3;
const MAX_UNUSUAL = 3;
/** A smaller change is reported as no change. */
const SMALLEST_CHANGE = 0.005;

interface HeadlineFacts {
  scope: Pick<ReportScope, 'period' | 'comparedWith' | 'today'>;
  credits: Measurement<Figure>;
  cost?: Cost | undefined;
  /** undefined if the days before could not be read, or if no usual range is known. */
  unusual?: Pick<UnusualDays, 'ranges'> | undefined;
  /** The name of the team or person; undefined for the whole organization. */
  of?: string;
}

/**
 * For a few days it shows no percentage, which would make a quiet weekend look dramatic; undefined if nothing is published.
 * @example digestHeadline(report) // '44.9 M credits on Friday: within the usual 38–47 M for a Friday.'
 */
export function digestHeadline({ scope, credits, cost, unusual, of }: HeadlineFacts): string | undefined {
  const { period, today } = scope;
  const who = of === undefined ? '' : ` for ${of}`;
  if (credits.kind === 'unpublished') return undefined;
  if (credits.kind === 'unreadable') return `The credits${who} ${whenWords(period, today)} could not be read.`;
  const { value } = credits.value;
  const amount = `${value === 0 ? 'No' : usedAmount(value)} ${value === 1 ? 'credit' : 'credits'}${costNote(cost)}${who} ${whenWords(period, today)}`;
  const change = changeWords(credits.value, scope);
  if (unusual === undefined) return `${amount}${change === '' ? '' : `, ${change}`}.`;
  const judged = judgedWords(unusual, period);
  if (judged !== undefined) return `${amount}: ${judged}.`;
  const days = lengthOf(period) > MAX_JUDGED_DAYS ? unusualWords(unusual) : '';
  return `${amount}${change === '' ? '' : `, ${change}`}.${days}`;
}

/** @example whenWords({ first: '2026-03-06', last: '2026-03-08' }) // 'from Friday to Sunday' */
function whenWords(period: Period, today: Day): string {
  const { first, last } = period;
  if (first === last) return `on ${weekdayName(last)}`;
  return lengthOf(period) <= MAX_JUDGED_DAYS
    ? `from ${weekdayName(first)} to ${weekdayName(last)}`
    : `on ${formatPeriod(period, today)}`;
}

/** Judges the days of a short period; undefined for longer ones, or if any day cannot be judged. */
function judgedWords({ ranges }: Pick<UnusualDays, 'ranges'>, period: Period): string | undefined {
  const days = lengthOf(period);
  if (days > MAX_JUDGED_DAYS || ranges.length < days) return undefined;
  const judged = ranges.flatMap(({ day, amount, range }) => (range ? [{ day, amount, range }] : []));
  const [only] = judged;
  if (days === 1) {
    return only
      ? usualWords(only.range, only.amount, period.last)
      : `too few ${weekdayName(period.last)}s before to say what’s usual`;
  }
  if (judged.length < days) return undefined;
  const outside = judged.filter((one) => placeIn(one.range, one.amount) !== 'within');
  if (outside.length === 0) return `each day within its usual range`;
  return outside
    .map((one) => `${weekdayName(one.day)} ${placeIn(one.range, one.amount)} its usual ${rangeWords(one.range)}`)
    .join(', ');
}

/** Shows both values, so that readers can judge the change; a percentage for whole weeks, and if it is adjusted for weekdays. */
function changeWords(figure: Figure, { period, comparedWith, today }: HeadlineFacts['scope']): string {
  const { value, before, was } = figure;
  if (before === undefined || !comparedWith) return '';
  const when = `on ${formatPeriod(comparedWith, today)}`;
  const isComparison =
    was !== undefined || lengthOf(period) >= DAYS_IN_A_WEEK || Math.abs(value - before) <= before * SMALLEST_CHANGE;
  if (isComparison) return comparisonWords(figure, before, when);
  return `${value > before ? 'up' : 'down'} from ${formatCompact(before)} ${when}`;
}

function unusualWords({ ranges }: Pick<UnusualDays, 'ranges'>): string {
  const outside = ranges.flatMap(({ day, amount, range }) => {
    const place = range ? placeIn(range, amount) : 'within';
    return place === 'within' ? [] : [`${formatDay(day)} (${place === 'above' ? 'high' : 'low'})`];
  });
  if (outside.length === 0) return '';
  const hiddenCount = outside.length - MAX_UNUSUAL;
  return hiddenCount > 0
    ? ` ${countOf(outside.length, 'unusual day')}, the last on ${outside.at(-1) ?? ''}.`
    : ` Unusual: ${outside.join(', ')}.`;
}
