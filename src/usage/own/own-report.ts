import type { DaysOptions } from '../../analytics/day-facts.ts';
import { formatDate, formatDay, formatPeriod, type Day, type Period } from '../../base/time/calendar.ts';
import type { KnownLimit } from '../../feature.ts';
import type { PlatformError } from '../../platform/errors.ts';
import type { LimitPeriod } from '../../base/settings/config.ts';
import { sumOf, type Figure } from '../../figures/measures/figures.ts';
import { formatCompact, formatRange, formatShare } from '../../base/text/numbers.ts';
import { creditsHeadline } from '../../figures/sentences.ts';
import { outlookOf, WEEKS_OF_PACE, type Outlook } from './own-outlook.ts';
import type { UsualWeek } from './usual-band.ts';

export interface OwnReport {
  /** The published days of this month. */
  period: Period;
  comparedWith: Period | undefined;
  today: Day;
  used: Figure;
  /** The organization’s credits in these days; undefined if unknown. */
  all: number | undefined;
  /** The limit as recorded in the ledger. */
  limit: KnownLimit | undefined;
  /** The period over which the limit counts; undefined if it was not set. */
  limitPeriod: LimitPeriod | undefined;
  /** Their credits on each of the last days, oldest first, through the last published one. */
  days: readonly number[];
  /** Their credits in the last whole weeks, oldest first. */
  weeks: number[];
  /** The same for all readers; undefined if too few people were active. */
  usual: UsualWeek | undefined;
}

export type OwnReading =
  | { kind: 'read'; report: OwnReport }
  | { kind: 'no_days' }
  | { kind: 'unpublished' }
  | { kind: 'unreadable'; fault: PlatformError };

/** `options` apply to the organization’s figures; those of people are read again after a change or ten minutes. */
export type ReadOwn = (email: string, options: DaysOptions) => Promise<OwnReading>;

export function ownLines(report: OwnReport): {
  point: string;
  limit: string;
  trend: string[];
  notes: string[];
} {
  const { period, comparedWith, used, all, limit, today } = report;
  const share = all === undefined ? '' : ` ${formatShare(used.value, all)} of the organization’s credits.`;
  return {
    point: `${creditsHeadline({ kind: 'known', value: used }, { period, comparedWith, today })}.${share}`,
    limit: limitWords(report),
    trend: trendWords(report),
    notes: limit === undefined ? [] : ['The platform doesn’t say whether a limit was changed elsewhere.'],
  };
}

function limitWords(report: OwnReport): string {
  const { limit, limitPeriod, used, today } = report;
  if (!limit) return 'Limit: unknown. Quartermaster knows only limits that were set here.';
  const amount = formatCompact(limit.value);
  const set = `set ${formatDate(limit.setOn, today)}`;
  const limitSentence = `Limit: ${amount} (${set}).`;
  if (limitPeriod === undefined) return `${limitSentence} Weekly or monthly? An admin still has to say.`;
  if (limitPeriod !== 'month') return `${limitSentence} It counts per ${limitPeriod}.`;
  const outlook = outlookOf(report, limit.value);
  if (outlook.kind === 'over')
    return `⚠️ Over your limit: ${formatCompact(used.value)} of ${amount} used this month (${set}).`;
  if (outlook.kind === 'used_up') return `⚠️ Your limit of ${amount} is used up this month (${set}).`;
  return `${limitSentence} ${outlookWords(outlook, today)}`.trim();
}

const PACE = `At the pace of your last ${WEEKS_OF_PACE} weeks`;

function outlookWords(outlook: Exclude<Outlook, { kind: 'over' | 'used_up' }>, today: Day): string {
  switch (outlook.kind) {
    case 'reached': {
      const { on, earliest, latest } = outlook;
      const likely =
        latest === undefined
          ? `from ${formatDate(earliest)} on`
          : formatPeriod({ first: earliest, last: latest }, today);
      return `${PACE}, you’ll reach it about ${formatDay(on)}${earliest === latest ? '' : ` (likely ${likely})`}.`;
    }
    case 'below': {
      const { byEnd, likely, end } = outlook;
      const range = likely && formatRange(likely.lower, likely.upper, '–');
      const words = range === undefined || range === formatCompact(byEnd) ? '' : ` (likely ${range})`;
      return `${PACE}, you’ll use about ${formatCompact(byEnd)} by ${formatDate(end)}${words}.`;
    }
    case 'open':
      return '';
    default:
      return outlook satisfies never;
  }
}

function trendWords({ weeks, usual }: OwnReport): string[] {
  if (weeks.length < 2 || sumOf(weeks, (amount) => amount) === 0) return [];
  const own = `Your last ${weeks.length} weeks, oldest first: ${weeks.map(formatCompact).join(', ')}.`;
  if (!usual) return [own];
  const { low, high, week } = usual;
  return [own, `Most people used ${formatRange(low, high, '–')} in the week of ${formatDay(week.first)}.`];
}
