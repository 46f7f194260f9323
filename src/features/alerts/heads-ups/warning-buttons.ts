import { markup } from '../../../core/base/text/markup.ts';
import type { Button } from '../../../core/slack/blocks/blocks.ts';
import type { ClickAction, Click } from '../../../core/slack/interactions/interactions.ts';
import { audit } from '../../../core/store/audit.ts';
import { pauseActions, pauseButton } from '../../../core/watches/pausing.ts';
import { changePause, findHeadsUp, type StoredHeadsUp } from '../budgets/core/budget-store.ts';
import type { BudgetDeps } from '../budgets/core/evaluation-deps.ts';
import { entryOf, NOTIFY_ACTION } from './heads-up-form.ts';
import { todayOf } from '../../../core/analytics/period.ts';
import { readAction } from '../../../core/slack/interactions/click-actions.ts';
import { plainMessage } from '../../../core/slack/blocks/messages.ts';
import { testMessage } from '../../../core/watches/example-message.ts';
import { exampleWarning } from '../budgets/deliver/example-warnings.ts';
import { headsUpView } from './heads-up-message.ts';

export const pauseWarningButton = (headsUp: Pick<StoredHeadsUp, 'state'>): Button =>
  pauseButton(NOTIFY_ACTION, headsUp);

/** *Pause* and *Resume* of the clicker’s own warning: the value of the click is ignored. */
export const pauseWarningActions = (deps: BudgetDeps): ClickAction[] =>
  pauseActions(deps, {
    prefix: NOTIFY_ACTION,
    role: 'member',
    words: {
      pause: markup`After *Resume*, one message reports the thresholds that you reached during the pause.`,
      resume: markup`If you reached a threshold during the pause, a message reports it in your morning.`,
    },
    find: async ({ person }) => {
      const headsUp = await findHeadsUp(deps.db, person);
      return headsUp
        ? { subject: headsUp }
        : { refusal: 'Credit warnings are off. Type /usage notify to turn them on.' };
    },
    nameOf: () => markup`your credit warning`,
    change: async (trx, headsUp, change, now) => {
      if (!(await changePause(trx, headsUp, change, now))) return false;
      const action = change.change === 'pause' ? 'paused heads-ups' : 'resumed heads-ups';
      await audit(trx, { ...entryOf({ slackId: change.by }), action }, now);
      return true;
    },
  });

export const NOTIFY_TEST_ACTION = 'usage_notify_test';

/** Shows an example of the clicker’s own warning. */
export const testWarningAction = (deps: BudgetDeps): ClickAction =>
  readAction(NOTIFY_TEST_ACTION, 'member', (click) => sendTest(deps, click));

async function sendTest(deps: BudgetDeps, { person, reply }: Click): Promise<void> {
  const headsUp = await findHeadsUp(deps.db, person);
  if (!headsUp) return reply.add(plainMessage('Credit warnings are off. Type /usage notify to turn them on.'));
  await reply.add(testMessage(headsUpView(exampleWarning(headsUp, todayOf(deps)), []), markup`you`));
}
