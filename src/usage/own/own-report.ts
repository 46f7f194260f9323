import type { DaysOptions } from '../../analytics/facts.ts';
import {
  calendarPart,
  daysOf,
  formatDate,
  formatDay,
  lengthOf,
  type Day,
  type Period,
} from '../../base/time/calendar.ts';
import type { KnownLimit } from '../../feature.ts';
import type { PlatformError } from '../../platform/errors.ts';
import type { LimitPeriod } from '../../base/settings/config.ts';
import { median } from '../../base/statistics.ts';
import { sumOf, type Figure } from '../../figures/measures/figures.ts';
import { formatCompact, formatShare } from '../../base/text/numbers.ts';
import { creditsHeadline } from '../../figures/sentences.ts';

/** A pace of fewer days is a guess. */
const LEAST_DAYS_OF_PACE = 5;

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
  /** Their last whole weeks, oldest first. */
  weeks: number[];
  peers: Peers | undefined;
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

/** Others, whom no name is told of. */
export interface Peers {
  /** `@web-team`; missing: the whole organization. */
  team: string | undefined;
  people: number;
  medians: number[];
}

export interface PeerGroup {
  team: string | undefined;
  /** By person, what each used in each of the weeks. */
  weeks: readonly (readonly number[])[];
}

/**
 * The first group in which enough people used something: a median of a few tells of each of them. Pure.
 *
 * @param minGroup how many are enough
 */
export function peersOf(groups: readonly PeerGroup[], minGroup: number): Peers | undefined {
  for (const { team, weeks } of groups) {
    const active = weeks.filter((one) => one.some((amount) => amount > 0));
    const [first] = active;
    if (!first || active.length < minGroup) continue;
    return {
      team,
      people: active.length,
      medians: first.map((_, week) => median(active.map((one) => one[week] ?? 0))),
    };
  }
  return undefined;
}

/** How this month goes beside a limit, which counts from the first of it as far as anybody here knows. */
export type Outlook =
  | { kind: 'over' }
  | { kind: 'reached'; on: Day }
  | { kind: 'below'; byEnd: number; end: Day }
  /** Too early in the month to say. */
  | { kind: 'open' };

/** Pure. */
export function outlookOf({ period, used }: Pick<OwnReport, 'period' | 'used'>, limit: number): Outlook {
  if (used.value >= limit) return { kind: 'over' };
  const days = lengthOf(period);
  if (days < LEAST_DAYS_OF_PACE) return { kind: 'open' };
  const pace = used.value / days;
  const { last: end } = calendarPart(period.last, 'month');
  const whole = { first: period.first, last: end };
  const on = daysOf(whole).find((_, index) => (index + 1) * pace >= limit);
  return on === undefined ? { kind: 'below', byEnd: pace * lengthOf(whole), end } : { kind: 'reached', on };
}

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
  const outlook = outlookOf(report, limit.value);
  switch (outlook.kind) {
    case 'over':
      return `${known} ⚠️ You’ve used more than that since ${formatDate(period.first)}.`;
    case 'reached':
      return `${known} At this month’s pace, ${amount} is reached about ${formatDay(outlook.on)}.`;
    case 'below':
      return `${known} At this month’s pace, you’ll have used about ${formatCompact(outlook.byEnd)} by ${formatDate(outlook.end)}.`;
    case 'open':
      return known;
    default:
      return outlook satisfies never;
  }
}

function trendWords({ weeks, peers }: OwnReport): string[] {
  if (weeks.length < 2 || sumOf(weeks, (amount) => amount) === 0) return [];
  const own = `Your last ${weeks.length} weeks, oldest first: ${weeks.map(formatCompact).join(', ')}.`;
  if (!peers) return [own];
  const who = `${formatCompact(peers.people)} other people${peers.team === undefined ? '' : ` in ${peers.team}`}`;
  return [own, `Median of ${who}: ${peers.medians.map((amount) => formatCompact(Math.round(amount))).join(', ')}.`];
}
