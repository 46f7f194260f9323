import type { Feature } from '../../feature.ts';
import { actions, header } from '../../slack/blocks/blocks.ts';
import { BUDGET_HELP } from '../../alerts/budgets/commands.ts';
import { newButton } from '../../alerts/budgets/core/buttons.ts';
import type { BudgetDeps } from '../../alerts/budgets/core/deps.ts';
import { noteBudgetsShown } from './evaluate/looks.ts';
import { refusalToSee } from '../../alerts/budgets/core/rights.ts';
import { budgetsSection } from '../../alerts/budgets/digest-section.ts';
import { budgetDeliveries } from './deliver/deliveries.ts';
import { marksRetention, removedRetention } from '../../alerts/budgets/core/retention.ts';
import { createStandingsReader } from '../../alerts/budgets/evaluate/standing.ts';
import { budgetActions, readBudgetCommand } from '../../alerts/budgets/handlers.ts';
import { newForm } from '../../alerts/budgets/manage/create.ts';
import { editForm } from '../../alerts/budgets/manage/edit.ts';
import { budgetFromSettings } from '../../alerts/budgets/manage/from-settings.ts';
import { homeBlocks } from '../../alerts/budgets/manage/list.ts';

/** Behind digests. */
const HOME_ORDER = 25;

/** `/budget`: credits for a period, with a warning before they run out. */
export function createBudgetsFeature(deps: BudgetDeps): Feature {
  const readKept = createStandingsReader(deps);
  return {
    name: 'budgets',
    commands: [{ help: BUDGET_HELP, role: 'manager', read: (words) => readBudgetCommand(deps, words) }],
    actions: budgetActions(deps),
    forms: [newForm(deps), editForm(deps)],
    homeSections: [
      {
        order: HOME_ORDER,
        role: 'manager',
        read: async (person) => {
          const shown = (await readKept(person)).filter(({ budget }) => refusalToSee(person, budget) === undefined);
          const budgets = shown.map(({ budget }) => budget);
          await noteBudgetsShown(deps, person, budgets);
          return [header('Budgets'), ...homeBlocks(shown), actions(newButton())];
        },
      },
    ],
    digestSections: [budgetsSection(deps)],
    jobs: [{ name: 'budget-from-settings', run: budgetFromSettings(deps) }],
    deliveryKinds: budgetDeliveries(deps),
    retention: [marksRetention(deps.db), removedRetention(deps.db)],
  };
}
