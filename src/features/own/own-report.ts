import type { DaysOptions } from '../../core/analytics/day-facts.ts';
import { type Day, type Period, dayOf, formatDate, formatDay } from '../../core/base/time/calendar.ts';
import type { PlatformError } from '../../core/platform/errors.ts';
import type { Figure } from '../../core/figures/measures/figures.ts';
import { sumOf } from '../../core/base/statistics.ts';
import { formatCompact, formatRange, formatShare } from '../../core/base/text/numbers.ts';
import { creditsHeadline } from '../../core/figures/measures/sentences.ts';
import type { KnownLimit } from '../../core/figures/known-limit.ts';
import type { UsualWeek } from '../../core/figures/groups/usual-band.ts';
import type { OwnUse } from './own-outlook.ts';
import type { LimitPeriod } from '../../core/base/time/limit-period-days.ts';

export interface OwnMonth {
  /** The published days of a month. */
  period: Period;
  today: Day;
  used: Figure;
  limit: LimitFacts;
}

/** This month. */
export interface OwnReport extends OwnMonth {
  comparedWith: Period | undefined;
  /** The organization’s credits in these days; undefined if unknown. */
  all: number | undefined;
  /** Their credits in the last whole weeks, oldest first. */
  weeks: number[];
  /** The same for all readers; undefined if too few people were active. */
  usual: UsualWeek | undefined;
}

export type OwnReading =
  | { kind: 'read'; report: OwnReport }
  /** No day of this month is published yet; `month` is the one before. */
  | { kind: 'begun'; month: OwnMonth }
  | { kind: 'unpublished' }
  | { kind: 'unreadable'; fault: PlatformError };

/** `options` apply to the organization’s figures; those of people are read again after a change or ten minutes. */
export type ReadOwn = (email: string, options: DaysOptions) => Promise<OwnReading>;

export function ownLines(report: OwnReport): {
  point: string;
  trend: string[];
  notes: string[];
} {
  const { period, comparedWith, used, all, today } = report;
  const { limit } = report.limit;
  const share = all === undefined ? '' : ` ${formatShare(used.value, all)} of the organization’s credits.`;
  return {
    point: `${creditsHeadline({ kind: 'known', value: used }, { period, comparedWith, today })}.${share}`,
    trend: trendWords(report),
    notes: limitNotes(limit, today),
  };
}

function limitNotes(limit: KnownLimit, today: Day): string[] {
  const elsewhere = 'The platform doesn’t say whether it was changed elsewhere.';
  switch (limit.kind) {
    case 'none':
    case 'unlimited':
    case 'unclear':
      return [];
    case 'shown':
      return limit.isCurrent
        ? [`Limit read from the platform ${formatDate(dayOf(limit.at), today)}.`]
        : [`The platform showed this limit ${formatDate(dayOf(limit.at), today)}, and does not show it now.`];
    case 'declared':
      return [`Limit declared ${formatDate(dayOf(limit.at), today)}. ${elsewhere}`];
    case 'set':
      return [`Limit set ${formatDate(dayOf(limit.at), today)}. ${elsewhere}`];
    default:
      return limit satisfies never;
  }
}

function trendWords({ weeks, usual }: OwnReport): string[] {
  if (weeks.length < 2 || sumOf(weeks, (amount) => amount) === 0) return [];
  const own = `Your last ${weeks.length} weeks, oldest first: ${weeks.map(formatCompact).join(', ')}.`;
  if (!usual) return [own];
  const { low, high, week } = usual;
  return [own, `Most people used ${formatRange(low, high, '–')} in the week of ${formatDay(week.first)}.`];
}

export interface LimitFacts {
  limit: KnownLimit;
  /** The period over which the limit counts; undefined if it was not set. */
  countsOver: LimitPeriod | undefined;
  /** Undefined if the period is unknown, or if figures of people are not kept for all of it. */
  use: OwnUse | undefined;
}
