import { todayOf } from '../../analytics/period.ts';
import { markup } from '../../base/text/markup.ts';
import { readAction } from '../../slack/click-actions.ts';
import { plainMessage } from '../../slack/blocks/messages.ts';
import type { Click, ClickAction } from '../../slack/interactions.ts';
import { testMessage } from '../../watches/example-message.ts';
import type { BudgetDeps } from '../budgets/core/evaluation-deps.ts';
import { findBudget } from '../budgets/core/budget-store.ts';
import { exampleWarning } from '../budgets/deliver/example-warnings.ts';
import { headsUpId } from './heads-up-form.ts';
import { headsUpView } from './heads-up-message.ts';

export const NOTIFY_TEST_ACTION = 'usage_notify_test';

/** Shows an example of the clicker’s own warning. */
export const testWarningAction = (deps: BudgetDeps): ClickAction =>
  readAction(NOTIFY_TEST_ACTION, 'member', (click) => sendTest(deps, click));

async function sendTest(deps: BudgetDeps, { person, reply }: Click): Promise<void> {
  const headsUp = await findBudget(deps.db, headsUpId(person), 'heads_up');
  if (!headsUp) return reply.add(plainMessage('Credit warnings are off. Type /usage notify to turn them on.'));
  await reply.add(testMessage(headsUpView(exampleWarning(headsUp, todayOf(deps)), []), markup`you`));
}
