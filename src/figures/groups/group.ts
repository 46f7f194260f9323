import type { DailyCreditsRow } from '../../analytics/facts.ts';
import { hasSameWeekdays } from '../../analytics/comparison.ts';
import type { Period } from '../../base/time/calendar.ts';
import type { PlatformError } from '../../platform/errors.ts';
import { sumOf, type ReportScope } from '../measures/figures.ts';
import type { GroupReport } from '../../usage/reports/group-report.ts';
import { admitSums, type GateDeps, type GateRefusal } from './gate.ts';
import type { GroupSum } from './store.ts';

/** What may be shown of a group to those who may not see single people: of its figures the credits alone. */
export interface GroupCut {
  /** Also for each day. */
  isByDay: boolean;
  /** Also beside the period before. */
  isCompared: boolean;
}

export type GroupVerdict =
  /** `cut`: missing where everything may be shown. */
  | { kind: 'shown'; cut: GroupCut | undefined }
  | { kind: 'refused'; sentence: string }
  | { kind: 'unpublished' }
  | { kind: 'unreadable'; fault: PlatformError };

/**
 * Decides how much of a group's credits may be shown, and keeps that it was.
 *
 * @param options `isWhole`: nothing before all days are published; `hasDays`: whether each day is shown where it can be
 */
export async function admitGroup(
  deps: GateDeps,
  { emails, label }: { emails: readonly string[]; label: string },
  { period, comparedWith }: Pick<ReportScope, 'period' | 'comparedWith'>,
  options: { isWhole?: boolean; hasDays?: boolean } = {},
): Promise<GroupVerdict> {
  if (deps.config.minGroup <= 1) return { kind: 'shown', cut: undefined };
  const sum = (isByDay: boolean): GroupSum => ({ emails, period, isByDay });
  // Weekdays that count more or less than others make the sum one of each day.
  const before: GroupSum[] = comparedWith
    ? [{ emails, period: comparedWith, isByDay: !hasSameWeekdays(period, comparedWith) }]
    : [];
  const all: GroupCut[] = [
    { isByDay: true, isCompared: true },
    { isByDay: false, isCompared: true },
    { isByDay: false, isCompared: false },
  ];
  const cuts = options.hasDays === false ? all.slice(1) : all;
  const alternatives = cuts.map(({ isByDay, isCompared }) => [sum(isByDay), ...(isCompared ? before : [])]);
  const verdict = await admitSums(deps, alternatives, options);
  if (verdict.kind === 'refused') return { kind: 'refused', sentence: refusalWords(verdict.reason, label, deps) };
  if (verdict.kind !== 'shown') return verdict;
  return { kind: 'shown', cut: cuts[verdict.index] ?? { isByDay: false, isCompared: false } };
}

/** Why the figures of a group are not shown, and what to do. */
function refusalWords(reason: GateRefusal, label: string, { config: { minGroup } }: Pick<GateDeps, 'config'>): string {
  switch (reason) {
    case 'few':
      return `Figures of ${label} aren’t shown for these days: fewer than ${minGroup} people in it, or outside of it, used something, so they would show what single people used. Choose a larger group, or more days.`;
    case 'close':
      return `Figures of ${label} aren’t shown for these days: with others that were shown before, they would show what fewer than ${minGroup} people used. Choose the same group and days as before, or days that share none with them.`;
    case 'full':
      return 'Too many different groups were shown for these days. Choose other days.';
    case 'gaps':
      return `The platform hasn’t published some of these days, so figures of ${label} aren’t shown yet. Try again later.`;
    default:
      return reason satisfies never;
  }
}

/** The report with what may be shown of it. Pure. */
export function cutReport(report: GroupReport, { isByDay, isCompared }: GroupCut): GroupReport {
  const { credits, scope } = report;
  const hidden = { kind: 'unpublished' } as const;
  return {
    ...report,
    credits:
      credits.kind === 'known' && !isCompared ? { kind: 'known', value: { value: credits.value.value } } : credits,
    scope: isCompared ? scope : { ...scope, comparedWith: undefined },
    days: isByDay ? report.days : [],
    people: hidden,
    activeDays: hidden,
    withoutFigures: [],
  };
}

/**
 * The days of a group as those may see them who may not see single people: each day of a period, or one row with all of it on its
 * last published day; nothing of a period that may not be shown. What is outside of the periods is left out.
 *
 * @param rows of the group, oldest first
 */
export async function admitRows(
  deps: GateDeps,
  emails: readonly string[],
  rows: readonly DailyCreditsRow[],
  periods: readonly Period[],
): Promise<DailyCreditsRow[]> {
  if (deps.config.minGroup <= 1) return [...rows];
  const shown: DailyCreditsRow[] = [];
  for (const { first, last } of periods) {
    const within = rows.filter(({ date }) => first <= date && date <= last);
    const through = within.at(-1)?.date;
    if (through === undefined) continue;
    const period = { first, last: through };
    const verdict = await admitSums(deps, [[{ emails, period, isByDay: true }], [{ emails, period, isByDay: false }]]);
    if (verdict.kind !== 'shown') continue;
    const all = { date: through, billable_tokens: sumOf(within, (row) => row.billable_tokens) };
    shown.push(...(verdict.index === 0 ? within : [all]));
  }
  return shown;
}
