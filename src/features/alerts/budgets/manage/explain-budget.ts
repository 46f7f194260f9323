import { todayOf } from '../../../../core/analytics/period.ts';
import { formatPeriod } from '../../../../core/base/time/calendar.ts';
import { explanationActions, type Explained } from '../../../../core/figures/explanation/explanation-actions.ts';
import { EXPLANATION_TITLE } from '../../../../core/figures/explanation/explanation-modal.ts';
import { messageView, sentenceView } from '../../../../core/slack/blocks/views.ts';
import type { Click, ClickAction } from '../../../../core/slack/interactions/interactions.ts';
import { needsPeople, titleOf } from '../core/budget.ts';
import { CHECK_ACTION, EXPLAIN_ACTION } from '../core/budget-buttons.ts';
import { findBudget, type StoredBudget } from '../core/budget-store.ts';
import type { BudgetDeps } from '../core/evaluation-deps.ts';
import { refusalToSee } from '../core/rights.ts';
import { readBudgetStatuses } from '../evaluate/budget-status.ts';
import { evaluateBudgets } from '../evaluate/evaluate.ts';
import { namesInBudgets } from '../evaluate/members.ts';
import { explainBudget } from './budget-parts.ts';
import { GONE, statusWords } from './budget-list.ts';

/** *How was this worked out?* and *Check now* for a budget: the clicker’s own rights decide what the modal shows. */
export const explainActions = (deps: BudgetDeps): ClickAction[] =>
  explanationActions(deps, {
    role: 'manager',
    explainAction: EXPLAIN_ACTION,
    checkAction: CHECK_ACTION,
    goneSentence: GONE,
    read: (id, click) => readExplained(deps, id, click),
    // Posted warnings that no longer hold are corrected. The budget may have been changed while the days were read.
    correct: async ({ budget: { id } }) => {
      const budget = await findBudget(deps.db, id);
      if (budget) await evaluateBudgets(deps, [budget], { today: todayOf(deps), published: undefined });
    },
  });

const refused = (sentence: string) => ({ refusal: sentenceView(EXPLANATION_TITLE, sentence) });

/** Reads a budget with the rights that the clicker has now. */
async function readExplained(
  deps: BudgetDeps,
  id: string,
  { person, refusal }: Pick<Click, 'person' | 'refusal'>,
): Promise<(Explained & { budget: StoredBudget }) | ReturnType<typeof refused>> {
  const budget = await findBudget(deps.db, id);
  if (!budget) return refused(GONE);
  const denial = refusalToSee(person, budget);
  if (denial) return { refusal: messageView(EXPLANATION_TITLE, await refusal(denial)) };
  const [status] = await readBudgetStatuses(deps, [budget], person);
  if (!status) return refused(GONE);
  if (status.kind !== 'known') return refused(statusWords(status));
  const { period, through } = status.figures;
  return {
    budget,
    title: `${titleOf(budget)}, ${formatPeriod(period, todayOf(deps))}`,
    periods: [{ first: period.first, last: through }],
    parts: explainBudget(status),
    withPeople: needsPeople(budget.subject),
    names: await namesInBudgets(deps, [budget]),
  };
}
