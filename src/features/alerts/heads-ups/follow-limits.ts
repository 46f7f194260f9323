import type { BudgetDeps } from '../budgets/core/evaluation-deps.ts';
import { limitPeriodOf, ruleOf } from '../budgets/core/budget.ts';
import { changeTerms, listHeadsUps, reviveAlert } from '../budgets/core/budget-store.ts';
import { existingLimit, type ExistingLimit } from '../../../core/figures/known-limit.ts';
import { readLimitPeriod } from '../../../core/figures/limit-period.ts';

/** Stored, so it names no end: the amount follows the limit. */
export function nameOfLimit(limit: ExistingLimit): string {
  switch (limit.kind) {
    case 'declared':
      return 'Your credit limit (declared, not set here)';
    case 'set':
    case 'shown':
      return 'Your credit limit';
    default:
      return limit satisfies never;
  }
}

/** A limit with a new amount or period is watched from the start: thresholds already reached cause no message. */
export async function followLimits(deps: BudgetDeps): Promise<void> {
  const [headsUps, limitPeriod] = await Promise.all([listHeadsUps(deps.db), readLimitPeriod(deps)]);
  const following = headsUps.filter(({ followsLimit }) => followsLimit);
  if (following.length === 0 || !limitPeriod) return;
  for (const headsUp of following) {
    const email = (await deps.people.describe(headsUp.channel))?.email;
    const limit = existingLimit(email === undefined ? undefined : await deps.limits.limitOf(email));
    if (!limit) continue;
    const isOther = limitPeriodOf(headsUp.period) !== limitPeriod;
    const name = nameOfLimit(limit);
    if (limit.value === headsUp.credits && name === headsUp.name && !isOther) continue;
    const now = deps.clock.now();
    await deps.db.transaction().execute(async (trx) => {
      const isChanged = await changeTerms(trx, headsUp, { ...headsUp, name, credits: limit.value }, null, now);
      if (isChanged && isOther) await reviveAlert(trx, { ...headsUp, period: ruleOf(limitPeriod) }, now);
    });
  }
}
