import { FORECAST_DAYS, notBeforeFirstDay } from '../../../core/analytics/period.ts';
import { markup } from '../../../core/base/text/markup.ts';
import { plusDays } from '../../../core/base/time/calendar.ts';
import type { DigestQuery, DigestSection, SectionReading } from '../../../core/feature.ts';
import { section } from '../../../core/slack/blocks/blocks.ts';
import { reportError } from '../../../core/slack/blocks/faults.ts';
import { prose, contentsOf } from '../../../core/slack/blocks/paragraphs.ts';
import { listMarks } from './core/budget-marks.ts';
import { listBudgets, type StoredBudget } from './core/budget-store.ts';
import { stateOf } from './core/words.ts';
import type { BudgetDeps } from './core/evaluation-deps.ts';
import { periodOf } from './core/budget.ts';
import { readBudgets, toStatuses } from './evaluate/budget-status.ts';
import { rowLines } from './manage/budget-list.ts';

const MAX_AGE_MS = 5 * 60_000;
const MAX_BUDGETS = 6;

/** The status of budgets on the last day of a digest, without budgets of chosen people: anyone may read a digest. */
export function budgetsSection(deps: BudgetDeps): DigestSection {
  return {
    id: 'budgets',
    title: 'Budgets',
    description: 'How much of each is used, and its forecast',
    namesPeople: false,
    isDefault: false,
    coversAudienceOnly: false,
    read: async ({ period, rightToNameOthers, shownTo, log }): Promise<SectionReading> => {
      const all = (await listBudgets(deps.db)).filter(({ subject }) => subject.kind !== 'people');
      if (all.length === 0) {
        const text = markup`No budgets are set up.`;
        return { kind: 'ready', blocks: [section(text)], text, figures: {}, isQuiet: true, unchanged: 'budgets' };
      }
      return readSection(deps, all.slice(0, MAX_BUDGETS), { period, rightToNameOthers, shownTo, log });
    },
  };
}

async function readSection(
  deps: BudgetDeps,
  budgets: readonly StoredBudget[],
  { period, rightToNameOthers, shownTo, log }: Pick<DigestQuery, 'period' | 'rightToNameOthers' | 'shownTo' | 'log'>,
): Promise<SectionReading> {
  const { last } = period;
  const starts = budgets.flatMap((budget) => periodOf(budget.period, last)?.first ?? []);
  const [first = last] = [...starts, plusDays(last, -FORECAST_DAYS)].toSorted();
  const read = await readBudgets(deps, budgets, { first: notBeforeFirstDay(first), last }, MAX_AGE_MS);
  const parts = read.map(({ part }) => part);
  const fault = parts.find((part) => part?.kind === 'unreadable');
  if (fault?.kind === 'unreadable')
    return { kind: 'unreadable', ...reportError(fault.fault, log, { section: 'Budgets', digest: period }) };
  const statuses = await toStatuses(
    deps,
    read,
    plusDays(last, 1),
    { seesPeople: rightToNameOthers !== undefined },
    shownTo,
  );
  const marks = await listMarks(
    deps.db,
    budgets.map(({ id }) => id),
    '0000-01-01',
  );
  // The previous digest came on the first of these days. A mark that it knew brings one digest more, and none is lost.
  const evaluatedFrom = `${period.first}T00:00:00.000Z`;
  const knownStatuses = statuses.flatMap((status) => (status.kind === 'known' ? [status] : []));
  const isPublished = parts.every((part) => part?.kind !== 'read' || part.rows.at(-1)?.date === last);
  return {
    kind: isPublished ? 'ready' : 'unpublished',
    ...contentsOf(statuses.map((status) => prose(rowLines(status)))),
    // Readers with the right need no admitted sums.
    ...(rightToNameOthers === undefined ? { sums: knownStatuses.flatMap(({ figures }) => figures.sums ?? []) } : {}),
    figures: Object.fromEntries(
      knownStatuses.map(({ figures, budget }) => [`${figures.title} (${budget.id})`, figures.spent]),
    ),
    needsAttention: [...marks.values()].flat().some(({ at, state }) => state === 'told' && at >= evaluatedFrom),
    isQuiet:
      knownStatuses.every(({ figures }) => stateOf(figures) === 'within') && knownStatuses.length === statuses.length,
  };
}
