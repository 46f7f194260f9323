import { declareNamedMessage, declareSubscriptionMessage } from '../../../outbox/message-kind.ts';
import type { Budget } from './budget.ts';
import { correctionSchema, messageSchema, noticeSchema } from './budget-payload.ts';

/** A threshold was reached or a period ended: sent to the channel of the budget, or to its owner by direct message. */
export const budgetMessage = declareSubscriptionMessage({ name: 'budget', payload: messageSchema }, 'manager');
export const budgetCorrection = declareSubscriptionMessage(
  { name: 'budget-correction', payload: correctionSchema },
  'manager',
);
export const budgetCorrectionNote = declareSubscriptionMessage(
  { name: 'budget-correction-note', payload: correctionSchema },
  'manager',
);

/** The same for the owner of a budget whose channel may not see it. */
export const ownerMessage = declareNamedMessage({ name: 'budget-owner', payload: messageSchema }, ['owner']);
export const ownerCorrection = declareNamedMessage({ name: 'budget-owner-correction', payload: correctionSchema }, [
  'owner',
]);
export const ownerCorrectionNote = declareNamedMessage(
  { name: 'budget-owner-correction-note', payload: correctionSchema },
  ['owner'],
);

export const headsUpMessage = declareSubscriptionMessage({ name: 'heads-up', payload: noticeSchema }, 'member');
export const headsUpCorrection = declareSubscriptionMessage(
  { name: 'heads-up-correction', payload: correctionSchema },
  'member',
);
export const headsUpCorrectionNote = declareSubscriptionMessage(
  { name: 'heads-up-correction-note', payload: correctionSchema },
  'member',
);

export function correctionKindsOf(kind: Budget['kind'], messageKind: string) {
  if (kind === 'heads_up') return { edit: headsUpCorrection, note: headsUpCorrectionNote };
  return messageKind === ownerMessage.name
    ? { edit: ownerCorrection, note: ownerCorrectionNote }
    : { edit: budgetCorrection, note: budgetCorrectionNote };
}
