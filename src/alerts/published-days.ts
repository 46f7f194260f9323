import { FACTS_MAX_AGE_MS } from '../analytics/facts.ts';
import { plusDays, type Day } from '../base/time/calendar.ts';
import { notBeforeFirstDay } from '../analytics/existing-period.ts';
import { listActiveChannelSubscriptions } from '../watches/channel-subscriptions.ts';
import { listBudgets, type StoredBudget } from './budgets/core/store.ts';
import { evaluateBudgets, rangeOf } from './budgets/evaluate/evaluate.ts';
import { followLimits } from './heads-ups/follow-limits.ts';
import { todayOf } from '../figures/period.ts';
import type { UsageServices } from '../usage/deps.ts';
import { evaluateWatches } from '../usage/watches/evaluate.ts';
import { WATCH_KIND } from './unusual-days/store.ts';

/** A new day is told within five minutes of its publication. */
const LOOK_EVERY_MS = 4 * 60_000;
/** These may still change, or appear. */
const RECENT_DAYS = 9;

/**
 * Looks whether days were published or restated, with one call; only then are budgets, heads-ups and watches looked at. Runs
 * every minute in every replica: what the store holds of them lets one tell.
 */
export function createPublicationWatch(deps: UsageServices): () => Promise<void> {
  let lookedAtMs = 0;
  let seen: { at: Date; today: Day; isWhole: boolean } | undefined;
  return async () => {
    const now = deps.clock.now();
    await followLimits(deps);
    const [shared, own, watches] = await Promise.all([
      listBudgets(deps.db),
      listBudgets(deps.db, 'heads_up'),
      listActiveChannelSubscriptions(deps.db, WATCH_KIND),
    ]);
    const budgets = [...shared, ...own];
    if (budgets.length + watches.length === 0) return;
    // What is passed when a budget is set up is noted at once: what comes later is told.
    const isDue = now.getTime() - lookedAtMs >= LOOK_EVERY_MS || budgets.some(({ isArmed }) => !isArmed);
    if (!isDue) return;
    lookedAtMs = now.getTime();
    const today = todayOf(deps);
    const recent = { first: notBeforeFirstDay(plusDays(today, -RECENT_DAYS)), last: plusDays(today, -1) };
    const organization = await deps.days.dailyCredits(recent, { maxAgeMs: FACTS_MAX_AGE_MS });
    if (organization.kind === 'unreadable') {
      deps.log.warn({ err: organization.fault }, 'The latest days could not be read; they are looked at again');
      return;
    }
    const isNew =
      seen?.today !== today ||
      !seen.isWhole ||
      budgets.some((budget) => isChanged(budget, seen?.at)) ||
      watches.some(({ updated_at: at }) => at > (seen?.at.toISOString() ?? '')) ||
      (await deps.days.changedAfter(rangeOf(budgets, today), seen.at));
    if (!isNew) return;
    const look = { today, published: organization.rows.at(-1)?.date };
    const outcomes = await evaluateBudgets(deps, budgets, look);
    const areWatchesWhole = await evaluateWatches(deps, watches, look);
    const isWhole = areWatchesWhole && [...outcomes.values()].every((outcome) => outcome === 'done');
    seen = { at: now, today, isWhole };
  };
}

const isChanged = ({ isArmed, changedAt }: StoredBudget, since: Date | undefined) =>
  !isArmed || changedAt > (since?.toISOString() ?? '');
