import { hasRole } from '../../core/base/roles.ts';
import { markup, type Markup } from '../../core/base/text/markup.ts';
import type { Leaver, RecurringPost } from '../../core/slack/interactions/interactions.ts';
import type { Person } from '../../core/slack/people/people.ts';
import { titleOf } from './budgets/core/budget.ts';
import { editButton, pauseBudgetButton, removeButton, showButton, TEST_ACTION } from './budgets/core/budget-buttons.ts';
import { budgetMessage, headsUpMessage } from './budgets/core/budget-messages.ts';
import { findHeadsUp, listBudgets, type StoredAlert, type StoredBudget } from './budgets/core/budget-store.ts';
import { refusalToSee } from './budgets/core/rights.ts';
import { pausedLines, SETTINGS_BUDGET, termsLines } from './budgets/manage/budget-list.ts';
import { refusalToPause } from './budgets/manage/pause-budget.ts';
import { pauseWarningButton, NOTIFY_TEST_ACTION } from './heads-ups/warning-buttons.ts';
import { AFTER_PAUSE, nextAndLast } from '../../core/watches/last-message.ts';
import type { AlertDeps } from './alerts-deps.ts';
import { testButton } from '../../core/watches/example-message.ts';
import { stopButton } from './heads-ups/heads-up-form.ts';
import { unusualDayWatch } from './unusual-days/unusual-day-watch.ts';

/** The budgets, unusual days and personal warnings that come to a channel or a person. */
export async function alertPosts(deps: AlertDeps, place: string, person: Person): Promise<RecurringPost[]> {
  const [budgets, headsUp, watches] = await Promise.all([
    hasRole(person.role, 'manager') ? listBudgets(deps.db) : [],
    place === person.slackId ? findHeadsUp(deps.db, person) : undefined,
    unusualDayWatch(deps).recurringPosts(place, person),
  ]);
  const visible = budgets.filter((budget) => budget.channel === place && refusalToSee(person, budget) === undefined);
  const lastOf = ({ id, state }: StoredAlert, kind: string, next: string) =>
    nextAndLast(deps.db, { kind, channel: place, about: id }, state === 'paused' ? AFTER_PAUSE : next);
  return [
    ...(await Promise.all(
      visible.map(async (budget) => ({
        lines: [...budgetLines(budget), await lastOf(budget, budgetMessage.name, 'when a threshold is reached')],
        buttons: budgetButtons(budget, person),
      })),
    )),
    ...(headsUp
      ? [
          {
            lines: [
              markup`*Your credit warning*`,
              ...termsLines(headsUp),
              ...pausedLines(headsUp),
              await lastOf(headsUp, headsUpMessage.name, 'when your use reaches it'),
            ],
            buttons: [testButton(NOTIFY_TEST_ACTION), pauseWarningButton(headsUp), stopButton()],
          },
        ]
      : []),
    ...watches,
  ];
}

/** The budgets and watches that a person set up. */
export async function alertBelongings(deps: AlertDeps, leaver: Leaver, admin: Person): Promise<RecurringPost[]> {
  const budgets = (await listBudgets(deps.db)).filter(
    ({ owner }) => leaver.slackId !== undefined && owner === leaver.slackId,
  );
  return [
    ...budgets.map((budget) => ({ lines: budgetLines(budget), buttons: budgetButtons(budget, admin) })),
    ...(await unusualDayWatch(deps).belongingsOf(leaver)),
  ];
}

const budgetLines = (budget: StoredBudget): Markup[] => [
  markup`*${titleOf(budget)}*  \`${budget.id}\``,
  ...termsLines(budget),
  ...pausedLines(budget),
];

const budgetButtons = (budget: StoredBudget, person: Person) => [
  showButton(budget.id),
  testButton(TEST_ACTION, budget.id),
  ...(refusalToPause(person, budget) ? [] : [pauseBudgetButton(budget)]),
  ...(budget.id === SETTINGS_BUDGET ? [] : [editButton(budget.id, 'Edit'), removeButton(budget.id, titleOf(budget))]),
];
