import { z } from 'zod';
import { markup } from '../../../base/text/markup.ts';
import type { DeliveryKind } from '../../../outbox/attempt.ts';
import { notifyOwner, ownerNoticeDeliveries } from '../../../outbox/owner-notices.ts';
import type { Button } from '../../../slack/blocks/blocks.ts';
import { buttonRow, messageOf, prose } from '../../../slack/blocks/paragraphs.ts';
import { showButton } from '../../../alerts/budgets/core/buttons.ts';
import type { BudgetDeps } from '../../../alerts/budgets/core/deps.ts';
import { noteBudgetMessage } from '../evaluate/looks.ts';
import { deliveryKindsOf, messageSchema, type Said } from '../../../alerts/budgets/core/payload.ts';
import { findMarked } from '../../../alerts/budgets/core/retention.ts';
import { findBudget } from '../../../alerts/budgets/core/store.ts';
import { percentOf } from '../../../alerts/budgets/core/words.ts';
import { correctionDeliveries } from './corrections.ts';
import { correctedMessage, noticeMessage, summaryMessage } from '../../../alerts/budgets/deliver/messages.ts';

const NOTICE_NAME = 'budget';
const GONE = 'The budget was removed.';

const failureSchema = z.object({ title: z.string(), budgetId: z.string(), reason: z.string() });

export function budgetDeliveries(deps: BudgetDeps): Record<string, DeliveryKind> {
  return {
    [deliveryKindsOf('budget').message]: {
      findNeeded: findMarked,
      prepare: async (delivery) => {
        const payload = messageSchema.parse(JSON.parse(delivery.payload));
        if ((await findBudget(deps.db, payload.budgetId))?.state !== 'active') return { kind: 'skip', reason: GONE };
        const isNaming = payload.said.explained.length > 0;
        await noteBudgetMessage(deps, { channel: delivery.channel, budgetId: payload.budgetId, isNaming });
        const message =
          payload.kind === 'summary'
            ? summaryMessage(payload)
            : noticeMessage(payload, lowerButtons(deps, payload.said));
        return { kind: 'send', message };
      },
      onSettled: async (trx, { key, payload }, settlement, now) => {
        if (settlement.state !== 'failed') return;
        const { budgetId, said } = messageSchema.parse(JSON.parse(payload));
        const owner = (await findBudget(trx, budgetId))?.owner ?? null;
        const failure = { title: said.title, budgetId, reason: settlement.reason };
        await notifyOwner(trx, owner, { key: `${key}:failed`, name: NOTICE_NAME, payload: failure }, now);
      },
    },
    ...correctionDeliveries(deps, 'budget', (correction) =>
      correctedMessage(correction, lowerButtons(deps, correction.after.said)),
    ),
    ...ownerNoticeDeliveries(deps, NOTICE_NAME, ({ payload }) => {
      const { title, budgetId, reason } = failureSchema.parse(JSON.parse(payload));
      const what = markup`❌ *${title}:* a message about it couldn’t be posted. ${reason}`;
      return Promise.resolve({ kind: 'send', message: messageOf(prose(what), buttonRow(showButton(budgetId))) });
    }),
  };
}

function lowerButtons({ limits }: Pick<BudgetDeps, 'limits'>, { title, spent, credits }: Said): Button[] {
  const known = limits();
  return known ? [known.requestLowerButton(`${title}: ${percentOf(spent, credits)} used`)] : [];
}
