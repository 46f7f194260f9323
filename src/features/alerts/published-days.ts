import type { Job } from '../../core/schedule/job.ts';
import { FACTS_MAX_AGE_MS } from '../../core/analytics/day-facts.ts';
import { plusDays, type Day } from '../../core/base/time/calendar.ts';
import { notBeforeFirstDay, todayOf } from '../../core/analytics/period.ts';
import { isEvaluated, listBudgets, listHeadsUps, type StoredAlert } from './budgets/core/budget-store.ts';
import { createTurns } from '../../core/store/health/first-process.ts';
import { evaluateBudgets, rangeOf } from './budgets/evaluate/evaluate.ts';
import { followLimits } from './heads-ups/follow-limits.ts';
import type { AlertDeps } from './alerts-deps.ts';
import { evaluateWatches } from './unusual-days/evaluate.ts';
import { unusualDayWatches } from './unusual-days/unusual-day-store.ts';

/** These days may still change or be published. */
const RECENT_DAYS = 9;

/**
 * Evaluates only if one call shows that days were published or restated. Every replica runs this: the store decides
 * which of them sends a message.
 * @returns two jobs: one evaluates new budgets within a minute, so that they warn only of later thresholds; the other
 * evaluates everything within minutes of a publication
 */
export function createPublicationWatch(deps: AlertDeps): Job[] {
  const isTurn = createTurns(deps);
  let lastEvaluation: { at: Date; today: Day; isComplete: boolean } | undefined;
  const evaluate = async ({ isDue }: { isDue: boolean }) => {
    const now = deps.clock.now();
    await followLimits(deps);
    const [shared, own, watches] = await Promise.all([
      listBudgets(deps.db),
      listHeadsUps(deps.db),
      unusualDayWatches.listActive(deps.db),
    ]);
    const budgets = [...shared, ...own].filter((budget) => isEvaluated(budget));
    if (budgets.length + watches.length === 0) return;
    const isUrgent = budgets.some(({ isBaselineTaken }) => !isBaselineTaken);
    if (!isUrgent && !(isDue && (await isTurn()))) return;
    const today = todayOf(deps);
    const recent = { first: notBeforeFirstDay(plusDays(today, -RECENT_DAYS)), last: plusDays(today, -1) };
    const organization = await deps.days.dailyCredits(recent, { maxAgeMs: FACTS_MAX_AGE_MS });
    if (organization.kind === 'unreadable') {
      deps.log.warn({ err: organization.fault }, 'Reading the latest days failed; it is tried again');
      return;
    }
    const isNew =
      lastEvaluation?.today !== today ||
      !lastEvaluation.isComplete ||
      budgets.some((budget) => isChanged(budget, lastEvaluation?.at)) ||
      watches.some(({ updatedAt: at }) => at > (lastEvaluation?.at.toISOString() ?? '')) ||
      (await deps.days.changedAfter(rangeOf(budgets, today), lastEvaluation.at));
    if (!isNew) return;
    const evaluation = { today, published: organization.rows.at(-1)?.date };
    const outcomes = await evaluateBudgets(deps, budgets, evaluation);
    const areWatchesComplete = await evaluateWatches(deps, watches, evaluation);
    const isComplete = areWatchesComplete && [...outcomes.values()].every((outcome) => outcome === 'done');
    lastEvaluation = { at: now, today, isComplete };
  };
  return [
    {
      name: 'arm-new-alerts',
      cron: '* * * * *',
      purpose: 'notes what a new budget or alert has already passed',
      run: () => evaluate({ isDue: false }),
    },
    {
      name: 'watch-published-days',
      cron: '*/4 * * * *',
      purpose: 'evaluates budgets and alerts after a publication',
      run: () => evaluate({ isDue: true }),
    },
  ];
}

const isChanged = ({ isBaselineTaken, changedAt }: StoredAlert, since: Date | undefined) =>
  !isBaselineTaken || changedAt > (since?.toISOString() ?? '');
