import { declareNamedMessage, declareSubscriptionMessage } from '../../../../core/outbox/message-kind.ts';
import { correctionSchema, messageSchema, noticeSchema } from './budget-payload.ts';

/** A correction edits the message and adds a note to its thread. Released names never change. */
const correctionsOf = <Kind>(
  name: string,
  declare: (declaration: { name: string; payload: typeof correctionSchema }) => Kind,
) => ({
  edit: declare({ name: `${name}-correction`, payload: correctionSchema }),
  note: declare({ name: `${name}-correction-note`, payload: correctionSchema }),
});

/** A threshold was reached or a period ended: sent to the channel of the budget, or to its owner by direct message. */
export const budgetMessage = declareSubscriptionMessage({ name: 'budget', payload: messageSchema }, 'manager');
export const budgetCorrections = correctionsOf('budget', (one) => declareSubscriptionMessage(one, 'manager'));

/** The same for the owner of a budget whose channel may not see it. */
export const ownerMessage = declareNamedMessage({ name: 'budget-owner', payload: messageSchema }, ['owner']);
export const ownerCorrections = correctionsOf('budget-owner', (one) => declareNamedMessage(one, ['owner']));

export const headsUpMessage = declareSubscriptionMessage({ name: 'heads-up', payload: noticeSchema }, 'member');
export const headsUpCorrections = correctionsOf('heads-up', (one) => declareSubscriptionMessage(one, 'member'));

export type CorrectionKinds = typeof budgetCorrections | typeof ownerCorrections;

export function correctionKindsOf(messageKind: string): CorrectionKinds {
  if (messageKind === headsUpMessage.name) return headsUpCorrections;
  return messageKind === ownerMessage.name ? ownerCorrections : budgetCorrections;
}
