import type { GroupSum } from '../../base/privacy/disclosure.ts';
import { hasSameWeekdays } from '../../analytics/period.ts';
import type { PlatformError } from '../../platform/errors.ts';
import type { ReportScope } from '../measures/figures.ts';
import { allowAlternatives, type Admission } from './admission.ts';
import type { GateDeps, GateOptions, GateRefusal } from './gate.ts';

/** The detail in which readers without the right to see single people get a group’s credits, and nothing else. */
export interface GroupDetail {
  isByDay: boolean;
  isCompared: boolean;
}

export type GroupVerdict =
  /** `detail`: undefined if everything may be shown. */
  | { kind: 'shown'; detail: GroupDetail | undefined; admission: Admission }
  | { kind: 'refused'; sentence: string }
  | { kind: 'unpublished' }
  | { kind: 'unreadable'; fault: PlatformError };

/** Records shown sums. `requiresAllDays`: none before all days are published; `hasDays`: by day, if possible. */
export async function allowGroupDetail(
  deps: GateDeps,
  { emails, label }: { emails: readonly string[]; label: string },
  { period, comparedWith }: Pick<ReportScope, 'period' | 'comparedWith'>,
  options: GateOptions & { hasDays?: boolean },
): Promise<GroupVerdict> {
  const sum = (isByDay: boolean): GroupSum => ({ emails, period, isByDay });
  // If weekdays are weighted for the comparison, the weighted sum reveals more than the total: it counts as daily sums.
  const before: GroupSum[] = comparedWith
    ? [{ emails, period: comparedWith, isByDay: !hasSameWeekdays(period, comparedWith) }]
    : [];
  const all: GroupDetail[] = [
    { isByDay: true, isCompared: true },
    { isByDay: false, isCompared: true },
    { isByDay: false, isCompared: false },
  ];
  const details = options.hasDays === false ? all.slice(1) : all;
  const alternatives = details.map(({ isByDay, isCompared }) => [sum(isByDay), ...(isCompared ? before : [])]);
  const verdict = await allowAlternatives(deps, alternatives, options);
  if (verdict.kind === 'refused') return { kind: 'refused', sentence: refusalWords(verdict.reason, label, deps) };
  if (verdict.kind !== 'shown') return verdict;
  const { index, admission } = verdict;
  if (deps.config.minGroup <= 1) return { kind: 'shown', detail: undefined, admission };
  return { kind: 'shown', detail: details[index] ?? { isByDay: false, isCompared: false }, admission };
}

function refusalWords(reason: GateRefusal, label: string, { config: { minGroup } }: Pick<GateDeps, 'config'>): string {
  switch (reason) {
    case 'few':
      return `Figures of ${label} stay private for these days: fewer than ${minGroup} people in it, or outside it, were active. Choose a larger team or more days.`;
    case 'close':
      return `Figures of ${label} stay private for these days: together with figures shown earlier, they would reveal fewer than ${minGroup} people. Choose the same dates as before, or dates that don’t overlap.`;
    case 'full':
      return 'Too many different teams were shown for these days. Choose other days.';
    case 'planned':
      return `Figures of ${label} stay private for these days: a digest about some of them is still to come in a channel, and together they could reveal fewer than ${minGroup} people. Choose days before those of the digest.`;
    case 'preview':
      return `Figures of ${label} appear here once they were posted. A preview shows nothing new to people who can’t see single people.`;
    case 'gaps':
      return `The platform hasn’t published some of these days, so figures of ${label} aren’t shown yet. Try again later.`;
    default:
      return reason satisfies never;
  }
}
