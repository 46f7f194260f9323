import type { StoredMessage, WriteDecision } from '../../../core/outbox/message-duties.ts';
import type { MessageHandler } from '../../../core/outbox/message-kind.ts';
import { namesNobody } from '../../../core/outbox/poster.ts';
import type { Reader } from '../../../core/outbox/reader.ts';
import type { Button } from '../../../core/slack/blocks/blocks.ts';
import { headsUpCorrections, headsUpMessage } from '../budgets/core/budget-messages.ts';
import type { BudgetDeps } from '../budgets/core/evaluation-deps.ts';
import type { Notice, MessageFigures } from '../budgets/core/budget-payload.ts';
import { keysReferencedByMarks } from '../budgets/core/budget-retention.ts';
import { findAlert, isPaused } from '../budgets/core/budget-store.ts';
import { correctionMessages } from '../budgets/deliver/corrections.ts';
import { reportFailure, stopBudget } from '../budgets/deliver/budget-message-duties.ts';
import { correctedHeadsUp, headsUpView, morningFor } from './heads-up-message.ts';

export function headsUpMessages(deps: BudgetDeps): MessageHandler[] {
  return [
    headsUpMessage.handledBy({
      isPaused: ({ payload }) => isPaused(deps.db, payload.budgetId),
      write: (message, reader) => writeHeadsUp(deps, message, reader),
      report: (trx, { payload }) => reportFailure(trx, payload),
      stop: (trx, { payload, channel }, why, now) => stopBudget(trx, payload.budgetId, channel, why, now),
      keysStillReferenced: keysReferencedByMarks,
    }),
    ...correctionMessages(deps, [headsUpCorrections], (correction) =>
      correctedHeadsUp(correction, moreButtons(deps, correction.after.said)),
    ),
  ];
}

/** Sends a heads-up during the person’s day, or drops it if the limit changed: the new limit has its own. */
async function writeHeadsUp(
  deps: BudgetDeps,
  { payload: notice }: StoredMessage<Notice>,
  reader: Reader,
): Promise<WriteDecision> {
  const headsUp = await findAlert(deps.db, notice.budgetId);
  if (!headsUp) return { kind: 'skip', reason: 'The credit warnings were turned off.' };
  if (notice.said.credits !== headsUp.credits) return { kind: 'skip', reason: 'The limit has changed since.' };
  if (reader.kind !== 'person') return { kind: 'skip', reason: 'It is for one person, not for a channel.' };
  const until = morningFor(reader.timeZone, deps.clock.now());
  if (until) return { kind: 'wait', until, reason: 'It waits for the morning of the person.' };
  return { kind: 'send', message: namesNobody(headsUpView(notice, moreButtons(deps, notice.said))) };
}

const moreButtons = ({ limits }: Pick<BudgetDeps, 'limits'>, { spent, period }: MessageFigures): Button[] =>
  limits.requestMoreButtons(spent, period);
