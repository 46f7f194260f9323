import type { DeliveryKind, Preparation } from '../../../outbox/attempt.ts';
import { deliveryOf } from '../../../outbox/delivery-kind.ts';
import type { MessagePlace } from '../../../outbox/poster.ts';
import type { BlockMessage } from '../../../slack/blocks/blocks.ts';
import { prepareAfter } from '../../../slack/outbound/posted-message.ts';
import type { BudgetDeps } from '../../../alerts/budgets/core/deps.ts';
import type { Budget } from '../../../alerts/budgets/core/budget.ts';
import { correctionSchema, deliveryKindsOf, type Correction } from '../../../alerts/budgets/core/payload.ts';
import { noteBudgetMessage } from '../evaluate/looks.ts';
import { listMarks, toMark } from '../../../alerts/budgets/core/store.ts';
import { correctionNote } from '../../../alerts/budgets/deliver/messages.ts';

/**
 * The deliveries that correct a message: it is edited, and its thread told.
 *
 * @param build what the message says from then on
 */
export function correctionDeliveries(
  deps: BudgetDeps,
  kind: Budget['kind'],
  build: (correction: Correction) => BlockMessage,
): Record<string, DeliveryKind> {
  const kinds = deliveryKindsOf(kind);
  const correcting = (prepare: (place: MessagePlace, correction: Correction) => Promise<Preparation>) =>
    deliveryOf(correctionSchema, (correction, { channel }) =>
      prepareAfter(deps, { key: correction.messageKey, what: 'message' }, async (place) => {
        const { budgetId } = correction.after;
        // A heads-up is told to its person alone.
        if (kind === 'budget') await noteBudgetMessage(deps, { channel, budgetId, isNaming: false });
        return prepare(place, correction);
      }),
    );
  return {
    [kinds.correction]: correcting(async (place, correction) => {
      return { kind: 'edit', place, message: build(await withStanding(deps, correction)) };
    }),
    [kinds.note]: correcting(async (replyTo, correction) => {
      return { kind: 'send', message: { ...correctionNote(correction), replyTo } };
    }),
  };
}

/** Of several corrections of a message, the one that is made last says what stands by then. */
async function withStanding({ db }: BudgetDeps, correction: Correction): Promise<Correction> {
  const { budgetId, said } = correction.after;
  const marks = (await listMarks(db, [budgetId], said.period.first)).get(budgetId) ?? [];
  const standing = marks.flatMap((row) => {
    const mark = toMark(row);
    return mark?.state === 'told' && row.delivery_key === correction.messageKey
      ? [{ basis: mark.basis, percent: mark.percent }]
      : [];
  });
  return { ...correction, standing };
}
