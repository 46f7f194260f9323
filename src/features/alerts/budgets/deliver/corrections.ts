import type {
  EarlierMessageReference,
  MessageDuties,
  SubscriptionDuties,
} from '../../../../core/outbox/message-duties.ts';
import type { MessageHandler } from '../../../../core/outbox/message-kind.ts';
import type { BlockMessage } from '../../../../core/slack/blocks/blocks.ts';
import type { CorrectionKinds } from '../core/budget-messages.ts';
import type { BudgetDeps } from '../core/evaluation-deps.ts';
import type { Correction } from '../core/budget-payload.ts';
import { listMarks, isThreshold } from '../core/budget-marks.ts';
import { findStoredAlert, isPaused } from '../core/budget-store.ts';
import { namesInMessage } from '../evaluate/members.ts';
import { correctionNote } from './budget-messages.ts';
import { reportFailure, stopBudget } from './budget-message-duties.ts';

/** Each correction edits the original message and adds a note to its thread. */
export function correctionMessages(
  deps: BudgetDeps,
  kinds: readonly CorrectionKinds[],
  build: (correction: Correction) => BlockMessage,
): MessageHandler[] {
  const edit = dutiesOf(deps, 'edit', async (correction) => build(await withCurrentThresholds(deps, correction)));
  const note = dutiesOf(deps, 'reply', (correction) => Promise.resolve(correctionNote(correction)));
  return kinds.flatMap((one) => [one.edit.handledBy(edit), one.note.handledBy(note)]);
}

function dutiesOf(
  deps: BudgetDeps,
  as: EarlierMessageReference['as'],
  write: (correction: Correction) => Promise<BlockMessage>,
): MessageDuties<Correction> & SubscriptionDuties<Correction> {
  return {
    isPaused: ({ payload }) => isPaused(deps.db, payload.after.budgetId),
    follows: ({ messageKey }) => ({ key: messageKey, what: 'message', as }),
    write: async ({ payload }) => {
      const { budgetId, said: figures } = payload.after;
      const budget = await findStoredAlert(deps.db, budgetId);
      if (!budget) return { kind: 'skip', reason: 'The budget was deleted.' };
      const names = await namesInMessage(deps, budget, false);
      return { kind: 'send', message: { ...(await write(payload)), names, sums: figures.sums ?? [] } };
    },
    report: (trx, { payload }) => reportFailure(trx, payload.after),
    stop: (trx, { payload, channel }, why, now) => stopBudget(trx, payload.after.budgetId, channel, why, now),
  };
}

/** Lists the thresholds that are crossed now, so that the last of several corrections shows the current state. */
async function withCurrentThresholds({ db }: BudgetDeps, correction: Correction): Promise<Correction> {
  const { budgetId, said: figures } = correction.after;
  const marks = (await listMarks(db, [budgetId], figures.period.first)).get(budgetId) ?? [];
  const crossed = marks
    .filter((row) => isThreshold(row))
    .filter(({ state, deliveryKey }) => state === 'told' && deliveryKey === correction.messageKey);
  return { ...correction, standing: crossed.map(({ basis, percent }) => ({ basis, percent })) };
}
