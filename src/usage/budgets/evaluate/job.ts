import { plusDays, type Day } from '../../../base/calendar.ts';
import { notBeforeFirstDay } from '../../../analytics/existing-period.ts';
import { todayOf } from '../../period.ts';
import { followLimits } from '../../heads-ups/follow-limits.ts';
import type { BudgetDeps } from '../core/deps.ts';
import { listBudgets } from '../core/store.ts';
import { evaluateBudgets, FACTS_MAX_AGE_MS, rangeOf } from './evaluate.ts';

/** A new day is told within five minutes of its publication. */
const LOOK_EVERY_MS = 4 * 60_000;
/** These may still change, or appear. */
const RECENT_DAYS = 9;

/**
 * Looks whether days were published or restated, with one call; only then are the budgets looked at. Runs every minute in
 * every replica: the marks in the store let one of them tell.
 */
export function createBudgetWatch(deps: BudgetDeps): () => Promise<void> {
  let lookedAtMs = 0;
  let seen: { at: Date; today: Day; isWhole: boolean } | undefined;
  return async () => {
    const now = deps.clock.now();
    if (now.getTime() - lookedAtMs < LOOK_EVERY_MS) return;
    lookedAtMs = now.getTime();
    await followLimits(deps);
    const [shared, own] = await Promise.all([listBudgets(deps.db), listBudgets(deps.db, 'heads_up')]);
    const budgets = [...shared, ...own];
    if (budgets.length === 0) return;
    const today = todayOf(deps);
    const recent = { first: notBeforeFirstDay(plusDays(today, -RECENT_DAYS)), last: plusDays(today, -1) };
    const organization = await deps.days.dailyCredits(recent, { maxAgeMs: FACTS_MAX_AGE_MS });
    if (organization.kind === 'unreadable') {
      deps.log.warn({ err: organization.fault }, 'The days of budgets could not be read; they are looked at again');
      return;
    }
    const isNew =
      seen?.today !== today ||
      !seen.isWhole ||
      budgets.some(({ isArmed, changedAt }) => !isArmed || changedAt > (seen?.at.toISOString() ?? '')) ||
      (await deps.days.changedAfter(rangeOf(budgets, today), seen.at));
    if (!isNew) return;
    const outcomes = await evaluateBudgets(deps, budgets, { today, published: organization.rows.at(-1)?.date });
    seen = { at: now, today, isWhole: [...outcomes.values()].every((outcome) => outcome === 'done') };
  };
}
