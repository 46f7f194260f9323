import type { DaysOptions } from '../../analytics/facts.ts';
import { formatDate, formatDay, type Period } from '../../base/time/calendar.ts';
import type { KnownLimit } from '../../feature.ts';
import type { PlatformError } from '../../platform/errors.ts';
import type { LimitPeriod } from '../../base/settings/config.ts';
import { sumOf, type Figure } from '../../figures/measures/figures.ts';
import { formatCompact, formatRange, formatShare } from '../../base/text/numbers.ts';
import { creditsHeadline } from '../../figures/sentences.ts';
import { outlookOf, WEEKS_OF_PACE, type Outlook } from './own-outlook.ts';
import type { UsualWeek } from './usual-band.ts';

/** What somebody used this month, beside their limit and beside others. */
export interface OwnReport {
  /** This month as far as it is published. */
  period: Period;
  comparedWith: Period | undefined;
  used: Figure;
  /** What the organization used in it; missing where that is not known. */
  all: number | undefined;
  /** As far as the ledger knows it. */
  limit: KnownLimit | undefined;
  /** Over which period it counts, if somebody said so. */
  limitPeriod: LimitPeriod | undefined;
  /** What they used on each of the last days, oldest first, through the last published one. */
  days: readonly number[];
  /** Their last whole weeks, oldest first. */
  weeks: number[];
  /** The same for everyone who asks; missing if too few people used something. */
  usual: UsualWeek | undefined;
}

export type OwnReading =
  | { kind: 'read'; report: OwnReport }
  | { kind: 'no_days' }
  | { kind: 'unpublished' }
  | { kind: 'unreadable'; fault: PlatformError };

/**
 * Reads what somebody used this month, what others did, and what is known of their limit. `options` are for how far the month
 * goes; what everybody used in it is read again when a day of it changed, or after ten minutes.
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
  const known = `Limit: ${amount}, set ${formatDay(limit.setOn)}.`;
  if (limitPeriod === undefined) return `${known} Nobody has said yet over which period it counts.`;
  if (limitPeriod !== 'month') return `${known} It counts over a ${limitPeriod}.`;
  const outlook = outlookWords(outlookOf(report, limit.value), amount, formatDate(period.first));
  return outlook === '' ? known : `${known} ${outlook}`;
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
