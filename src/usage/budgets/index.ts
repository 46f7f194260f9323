import type { Feature } from '../../feature.ts';
import { actions, header } from '../../slack/blocks/blocks.ts';
import { BUDGET_HELP } from './commands.ts';
import { newButton } from './core/buttons.ts';
import type { BudgetDeps } from './core/deps.ts';
import { noteBudgetsShown } from './evaluate/looks.ts';
import { refusalToSee } from './core/rights.ts';
import { budgetsSection } from './digest-section.ts';
import { budgetDeliveries } from './deliver/deliveries.ts';
import { marksRetention, removedRetention } from './core/retention.ts';
import { createStandingsReader } from './evaluate/standing.ts';
import { budgetActions, readBudgetCommand } from './handlers.ts';
import { newForm } from './manage/create.ts';
import { editForm } from './manage/edit.ts';
import { budgetFromSettings } from './manage/from-settings.ts';
import { homeBlocks } from './manage/list.ts';

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
