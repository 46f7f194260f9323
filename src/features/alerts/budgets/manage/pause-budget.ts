import { z } from 'zod';
import { hasRole } from '../../../../core/base/roles.ts';
import { markup } from '../../../../core/base/text/markup.ts';
import type { Refusal } from '../../../../core/slack/blocks/messages.ts';
import type { ClickAction } from '../../../../core/slack/interactions/interactions.ts';
import type { Person } from '../../../../core/slack/people/people.ts';
import { audit } from '../../../../core/store/audit.ts';
import { pauseActions } from '../../../../core/watches/pausing.ts';
import { PAUSE_PREFIX } from '../core/budget-buttons.ts';
import { auditSubject, titleOf, type Budget } from '../core/budget.ts';
import { changePause, findBudget } from '../core/budget-store.ts';
import type { BudgetDeps } from '../core/evaluation-deps.ts';
import { refusalToSee } from '../core/rights.ts';
import { GONE, SETTINGS_BUDGET } from './budget-list.ts';

/** *Pause* and *Resume* of a budget. */
export const pauseBudgetActions = (deps: BudgetDeps): ClickAction[] =>
  pauseActions(deps, {
    prefix: PAUSE_PREFIX,
    role: 'manager',
    words: {
      pause: markup`Thresholds that are reached until *Resume* are reported afterwards, for periods that ended at most nine days before.`,
      resume: markup`Thresholds that were reached during the pause are reported within minutes.`,
    },
    find: async ({ value, person }) => {
      const budget = await findBudget(deps.db, z.string().max(40).parse(value));
      if (!budget) return { refusal: GONE };
      const refusal = refusalToPause(person, budget);
      return refusal ? { refusal } : { subject: budget };
    },
    nameOf: (budget) => markup`*${titleOf(budget)}*`,
    change: async (trx, budget, change, now) => {
      if (!(await changePause(trx, budget, change, now))) return false;
      const action = change.change === 'pause' ? 'paused it' : 'resumed it';
      await audit(trx, { about: auditSubject(budget.id), actor: change.by, action, detail: null }, now);
      return true;
    },
  });

export function refusalToPause(person: Pick<Person, 'role' | 'seesPeople'>, budget: Budget): Refusal | undefined {
  const refusal = refusalToSee(person, budget);
  if (refusal || budget.id !== SETTINGS_BUDGET || hasRole(person.role, 'admin')) return refusal;
  return { what: 'Pausing the budget of the server settings', role: 'admin' };
}
