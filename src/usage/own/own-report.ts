import type { DaysOptions } from '../../analytics/day-facts.ts';
import { formatDate, formatDay, type Period } from '../../base/time/calendar.ts';
import type { KnownLimit } from '../../feature.ts';
import type { PlatformError } from '../../platform/errors.ts';
import type { LimitPeriod } from '../../base/settings/config.ts';
import { sumOf, type Figure } from '../../figures/measures/figures.ts';
import { formatCompact, formatRange, formatShare } from '../../base/text/numbers.ts';
import { creditsHeadline } from '../../figures/sentences.ts';
import { outlookOf, WEEKS_OF_PACE, type Outlook } from './own-outlook.ts';
import type { UsualWeek } from './usual-band.ts';

/** The credits of a person this month, beside their limit and the usual range. */
export interface OwnReport {
  /** The published days of this month. */
  period: Period;
  comparedWith: Period | undefined;
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

/**
 * Reads a person’s own month, the usual range and the limit. `options` apply to the organization’s figures; those of
 * people are read again when a day of them changed, or after ten minutes.
 */
export type ReadOwn = (email: string, options: DaysOptions) => Promise<OwnReading>;

export function ownLines(report: OwnReport): {
  point: string;
  limit: string;
  trend: string[];
  notes: string[];
} {
  const { period, comparedWith, used, all, limit } = report;
  const share = all === undefined ? '' : ` ${formatShare(used.value, all)} of the organization’s credits.`;
  return {
    point: `${creditsHeadline({ kind: 'known', value: used }, { period, comparedWith })}.${share}`,
    limit: limitWords(report),
    trend: trendWords(report),
    notes: limit === undefined ? [] : ['The platform doesn’t say whether a limit was changed elsewhere.'],
  };
}

function limitWords(report: OwnReport): string {
  const { limit, limitPeriod, period } = report;
  if (!limit) return 'Limit: unknown, because none was set through Quartermaster.';
  const amount = formatCompact(limit.value);
  const limitSentence = `Limit: ${amount}, set ${formatDay(limit.setOn)}.`;
  if (limitPeriod === undefined) return `${limitSentence} Nobody has said yet over which period it counts.`;
  if (limitPeriod !== 'month') return `${limitSentence} It counts over a ${limitPeriod}.`;
  const outlook = outlookWords(outlookOf(report, limit.value), amount, formatDate(period.first));
  return outlook === '' ? limitSentence : `${limitSentence} ${outlook}`;
}

const PACE = `At the pace of your last ${WEEKS_OF_PACE} weeks`;

function outlookWords(outlook: Outlook, limit: string, first: string): string {
  switch (outlook.kind) {
    case 'over':
      return `⚠️ You’ve used more than that since ${first}.`;
    case 'used_up':
      return `⚠️ You’ve reached it since ${first}.`;
    case 'reached': {
      const { on, earliest, latest } = outlook;
      const likely =
        latest === undefined ? `from ${formatDate(earliest)} on` : `${formatDate(earliest)} – ${formatDate(latest)}`;
      return `${PACE}, ${limit} is reached about ${formatDay(on)}${earliest === latest ? '' : ` (likely ${likely})`}.`;
    }
    case 'below': {
      const { byEnd, likely, end } = outlook;
      const range = likely && formatRange(likely.lower, likely.upper, ' to ');
      const words = range === undefined || range === formatCompact(byEnd) ? '' : ` (likely ${range})`;
      return `${PACE}, you’ll have used about ${formatCompact(byEnd)} by ${formatDate(end)}${words}.`;
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
