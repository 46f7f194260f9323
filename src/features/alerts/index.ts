import type { Feature } from '../../core/feature.ts';
import { actions, header } from '../../core/slack/blocks/blocks.ts';
import { inModal } from '../../core/slack/interactions/verbs.ts';
import type { ReadCommand } from '../../core/slack/interactions/interactions.ts';
import type { AlertDeps } from './alerts-deps.ts';
import { BUDGET_HELP } from './budgets/budget-command.ts';
import { newButton } from './budgets/core/budget-buttons.ts';
import { refusalToSee } from './budgets/core/rights.ts';
import { budgetMessages } from './budgets/deliver/budget-deliveries.ts';
import { budgetsSection } from './budgets/budgets-digest-section.ts';
import { namesInBudgets } from './budgets/evaluate/members.ts';
import { createStatusReader } from './budgets/evaluate/budget-status.ts';
import { budgetActions, readBudgetCommand } from './budgets/budget-handlers.ts';
import { newForm } from './budgets/manage/create.ts';
import { editForm } from './budgets/manage/edit.ts';
import { budgetFromSettings } from './budgets/manage/from-settings.ts';
import { budgetAttention, homeBlocks } from './budgets/manage/budget-list.ts';
import { headsUpMessages } from './heads-ups/heads-up-deliveries.ts';
import { NOTIFY_TITLE, notifyActions, notifyForm, showNotifyForm } from './heads-ups/heads-up-form.ts';
import { pauseWarningActions, testWarningAction } from './heads-ups/warning-buttons.ts';
import { periodActions, limitPeriodMessages, limitPeriodStatus } from './heads-ups/limit-period.ts';
import { createPublicationWatch } from './published-days.ts';
import { retiringJob } from './retiring-models/evaluate-retiring.ts';
import { readRetireCommand, retireActions, retireForm } from './retiring-models/retire-command.ts';
import { retiringSection } from './retiring-models/retiring-digest-section.ts';
import { retiringMessages } from './retiring-models/retiring-messages.ts';
import { unusualDaysMessages } from './unusual-days/unusual-day-deliveries.ts';
import { watchActions } from './unusual-days/unusual-day-handlers.ts';
import { alertBelongings, alertPosts } from './alert-posts.ts';
import { readWatchCommand, watchesHome } from './unusual-days/unusual-day-watch.ts';

const HOME_ORDER = 25;

export const ALERT_WORDS = ['notify', 'watch', 'unwatch', 'retire'] as const;

export function alertSubcommands(
  deps: AlertDeps,
): Record<(typeof ALERT_WORDS)[number], (rest: readonly string[]) => ReadCommand> {
  return {
    notify: ([word]) =>
      word === undefined
        ? inModal(NOTIFY_TITLE, (by, opened) => showNotifyForm(deps, by, opened))
        : { kind: 'misunderstood', sentence: `Unknown word “${word}”.`, corrected: 'notify' },
    watch: (rest) => readWatchCommand(deps, 'watch', rest),
    unwatch: (rest) => readWatchCommand(deps, 'unwatch', rest),
    retire: (rest) => readRetireCommand(deps, rest),
  };
}

/** `/budget`, `/usage notify` and `/usage watch`: messages about figures that are sent without a request. */
export function createAlertsFeature(deps: AlertDeps): Feature {
  const readStatuses = createStatusReader(deps);
  return {
    name: 'alerts',
    commands: [{ help: BUDGET_HELP, role: 'manager', read: (words) => readBudgetCommand(deps, words) }],
    actions: [
      ...budgetActions(deps),
      ...notifyActions(deps),
      testWarningAction(deps),
      ...pauseWarningActions(deps),
      ...periodActions(deps),
      ...watchActions(deps),
      ...retireActions(deps),
    ],
    forms: [newForm(deps), editForm(deps), notifyForm(deps), retireForm(deps)],
    homeSections: [
      {
        order: HOME_ORDER,
        role: 'manager',
        read: async (person) => {
          const visibleStatuses = (await readStatuses(person)).filter(
            ({ budget }) => refusalToSee(person, budget) === undefined,
          );
          const budgets = visibleStatuses.map(({ budget }) => budget);
          const blocks = [header('Budgets'), ...homeBlocks(visibleStatuses), actions(newButton())];
          return { blocks, names: await namesInBudgets(deps, budgets) };
        },
      },
      watchesHome(deps),
    ],
    recurringPosts: (place, person) => alertPosts(deps, place, person),
    belongingsOf: (leaver, admin) => alertBelongings(deps, leaver, admin),
    attention: [
      {
        role: 'manager',
        read: async (person) =>
          budgetAttention(
            (await readStatuses(person)).filter(({ budget }) => refusalToSee(person, budget) === undefined),
          ),
      },
    ],
    digestSections: [budgetsSection(deps), retiringSection(deps)],
    jobs: [
      {
        name: 'budget-from-settings',
        cron: '* * * * *',
        purpose: 'sets up the budget of `BUDGET_CREDITS`',
        run: budgetFromSettings(deps),
      },
      ...createPublicationWatch(deps),
      retiringJob(deps),
    ],
    adminStatus: () => limitPeriodStatus(deps),
    messages: [
      ...budgetMessages(deps),
      ...headsUpMessages(deps),
      ...limitPeriodMessages(deps),
      ...unusualDaysMessages(deps),
      ...retiringMessages(deps),
    ],
  };
}
