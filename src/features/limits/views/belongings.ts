import { markup } from '../../../core/base/text/markup.ts';
import { formatAmount } from '../../../core/base/text/amounts.ts';
import { amountOf } from '../../../core/figures/known-limit.ts';
import { runCommandButton, runCommandButtons } from '../../../core/slack/blocks/messages.ts';
import { commandText } from '../../../core/slack/commands/command-text.ts';
import type { Belongings, RecurringPost } from '../../../core/slack/interactions/interactions.ts';
import { readApproverRules } from '../approvers/approver-rules.ts';
import { showButton, withdrawButton } from '../core/limit-buttons.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { readLimitsOf } from '../core/ledger.ts';
import { listRequests } from '../core/requests.ts';
import { WAITING } from '../core/states.ts';

/** The limit, open requests and place among the approvers of somebody who left. */
export const limitBelongings =
  (deps: LimitDeps): Belongings =>
  async ({ slackId, email }) => {
    const requests = slackId === undefined ? [] : await listRequests(deps.db, WAITING, slackId);
    const rules = await readApproverRules(deps.db);
    const isApprover = slackId !== undefined && rules?.approvers.includes(slackId) === true;
    return [
      ...(email === undefined ? [] : await limitPosts(deps, email)),
      ...requests.map(({ id }) => ({
        lines: [markup`Open request for credit limits: \`${id}\``],
        buttons: [withdrawButton(id), showButton(id)],
      })),
      ...(isApprover
        ? [
            {
              lines: [markup`On the list of approvers of credit limits`],
              buttons: [runCommandButton('Edit the list', '/limits', commandText`approvers`)],
            },
          ]
        : []),
    ];
  };

async function limitPosts(deps: LimitDeps, email: string): Promise<RecurringPost[]> {
  const value = amountOf((await readLimitsOf(deps, [email]))(email));
  if (value === undefined) return [];
  return [
    {
      lines: [markup`Credit limit: *${formatAmount(value)}*`],
      buttons: runCommandButtons('Request another', '/limits', commandText`request ${email}`),
    },
  ];
}
