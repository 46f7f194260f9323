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
  /** `sentence`: why, and what to ask instead; a planned message shows `why` alone. */
  | { kind: 'refused'; why: string; sentence: string }
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
  if (verdict.kind === 'refused') {
    const why = refusalWords(verdict.reason, label, deps);
    return { kind: 'refused', why, sentence: `${why} ${ADVICE[verdict.reason]}`.trim() };
  }
  if (verdict.kind !== 'shown') return verdict;
  const { index, admission } = verdict;
  if (deps.config.minGroup <= 1) return { kind: 'shown', detail: undefined, admission };
  return { kind: 'shown', detail: details[index] ?? { isByDay: false, isCompared: false }, admission };
}

function refusalWords(reason: GateRefusal, label: string, { config: { minGroup } }: Pick<GateDeps, 'config'>): string {
  switch (reason) {
    case 'few':
      return `Figures of ${label} stay private for these days: fewer than ${minGroup} people in it, or outside it, were active.`;
    case 'close':
      return `Figures of ${label} stay private for these days: next to figures already shown, they would reveal the use of fewer than ${minGroup} people.`;
    case 'full':
      return 'Too many different teams were shown for these days.';
    case 'planned':
      return `Figures of ${label} stay private for these days: a digest about some of them is still to come in a channel, and together they could reveal the use of fewer than ${minGroup} people.`;
    case 'preview':
      return `Figures of ${label} appear here once they were posted. A preview shows nothing new to people who can’t see single people.`;
    case 'gaps':
      return `The platform hasn’t published some of these days, so figures of ${label} aren’t shown yet.`;
    default:
      return reason satisfies never;
  }
}

const ADVICE: Readonly<Record<GateRefusal, string>> = {
  few: 'Choose a larger team or more days.',
  close: 'Choose the same dates as before, or dates that don’t overlap.',
  full: 'Choose other days.',
  planned: 'Choose days before those of the digest.',
  preview: '',
  gaps: 'Try again later.',
};
