import { formatDay } from '../../../core/base/time/calendar.ts';
import { markup, type Markup } from '../../../core/base/text/markup.ts';
import { formatCompact } from '../../../core/base/text/numbers.ts';
import { existingLimit, type KnownLimit } from '../../../core/figures/known-limit.ts';
import type { HoldingBudget } from '../../alerts/budgets/evaluate/budgets-holding.ts';
import type { LimitPerson } from '../core/limit-tables.ts';
import { amountAfter } from '../core/own-limit-removal.ts';

export interface BudgetAtRequest extends Omit<HoldingBudget, 'people'> {
  /** What its people may use beyond their limits of today; Infinity if nothing limits one of them then. */
  added: number;
}

/** Pure. */
export function budgetsAtRequest(
  budgets: readonly HoldingBudget[],
  people: readonly Pick<LimitPerson, 'email' | 'toValue' | 'removes'>[],
  limitOf: (email: string) => KnownLimit,
  everybody = Infinity,
): BudgetAtRequest[] {
  return budgets.map(({ people: counted, ...budget }) => {
    const added = people
      .filter(({ email }) => counted?.has(email) ?? true)
      .reduce(
        (sum, { email, toValue, removes }) =>
          sum + addedBy(amountAfter({ amount: toValue, removes }, everybody), limitOf(email)),
        0,
      );
    return { ...budget, added };
  });
}

/** A limit that is not known counts as none, so that the request adds all of it. */
function addedBy(amount: number, limit: KnownLimit): number {
  if (limit.kind === 'unlimited') return 0;
  return Math.max(0, amount - (existingLimit(limit)?.value ?? 0));
}

/** One line for each budget that the request could use more of. Pure. */
export function budgetLines(budgets: readonly BudgetAtRequest[]): Markup[] {
  return budgets.filter(({ added }) => added > 0).map((budget) => budgetLine(budget));
}

function budgetLine({ title, figures: { spent, credits, through }, added }: BudgetAtRequest): Markup {
  const left = credits - spent;
  const used = markup`*${title}:* ${formatCompact(spent)} of ${formatCompact(credits)} credits used, as of ${formatDay(through)}`;
  if (left <= 0) return markup`🛑 ${used}: nothing is left.`;
  if (added === Number.POSITIVE_INFINITY)
    return markup`⚠️ ${used}. ${formatCompact(left)} left; without a limit, nothing bounds what is used of it.`;
  if (added > left)
    return markup`⚠️ ${used}. ${formatCompact(left)} left; this request adds up to ${formatCompact(added)}, more than that.`;
  return markup`${used}. ${formatCompact(left)} left; ${formatCompact(left - added)} if all of this request (${formatCompact(added)} more) is used.`;
}
