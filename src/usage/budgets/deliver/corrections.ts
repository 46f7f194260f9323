import type { DeliveryKind } from '../../../outbox/attempt.ts';
import type { Delivery } from '../../../outbox/delivery-table.ts';
import { findDelivery } from '../../../outbox/past-deliveries.ts';
import type { BlockMessage } from '../../../slack/blocks/blocks.ts';
import { placeOfMessage, waitForMessage } from '../../../slack/outbound/posted-message.ts';
import type { BudgetDeps } from '../core/deps.ts';
import type { Budget } from '../core/budget.ts';
import { correctionSchema, deliveryKindsOf, type Correction } from '../core/payload.ts';
import { noteBudgetMessage } from '../evaluate/looks.ts';
import { listMarks, toMark } from '../core/store.ts';
import { correctionNote } from './messages.ts';

type Deps = Pick<BudgetDeps, 'db' | 'clock' | 'people'>;

/**
 * The deliveries that correct a message: it is edited, and its thread told.
 *
 * @param build what the message says from then on
 */
export function correctionDeliveries(
  deps: Deps,
  kind: Budget['kind'],
  build: (correction: Correction) => BlockMessage,
): Record<string, DeliveryKind> {
  const kinds = deliveryKindsOf(kind);
  return {
    [kinds.correction]: {
      prepare: async (delivery) => {
        const { original, place, correction } = await readCorrection(deps, delivery);
        if (!place) return waitForMessage(deps, original, 'message');
        await noteShown(deps, kind, delivery, correction);
        return { kind: 'edit', place, message: build(await withStanding(deps, correction)) };
      },
    },
    [kinds.note]: {
      prepare: async (delivery) => {
        const { original, place, correction } = await readCorrection(deps, delivery);
        if (!place) return waitForMessage(deps, original, 'message');
        await noteShown(deps, kind, delivery, correction);
        return { kind: 'send', message: { ...correctionNote(correction), replyTo: place } };
      },
    },
  };
}

/** A heads-up is told to its person alone. */
async function noteShown(
  deps: Deps,
  kind: Budget['kind'],
  { channel }: Delivery,
  { after }: Correction,
): Promise<void> {
  if (kind === 'budget') await noteBudgetMessage(deps, { channel, budgetId: after.budgetId, isNaming: false });
}

async function readCorrection({ db }: Deps, { payload }: Delivery) {
  const correction = correctionSchema.parse(JSON.parse(payload));
  const original = await findDelivery(db, correction.messageKey);
  return { correction, original, place: placeOfMessage(original) };
}

/** Of several corrections of a message, the one that is made last says what stands by then. */
async function withStanding({ db }: Deps, correction: Correction): Promise<Correction> {
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
