import { z } from 'zod';
import { markup } from '../../../../core/base/text/markup.ts';
import type { StoredMessage, WriteDecision } from '../../../../core/outbox/message-duties.ts';
import type { MessageHandler } from '../../../../core/outbox/message-kind.ts';
import type { Reader } from '../../../../core/outbox/reader.ts';
import { declareOwnerNotice } from '../../../../core/outbox/owner-notices.ts';
import { namesNobody } from '../../../../core/outbox/poster.ts';
import type { Button } from '../../../../core/slack/blocks/blocks.ts';
import { buttonRow, messageOf, prose } from '../../../../core/slack/blocks/paragraphs.ts';
import { showButton } from '../core/budget-buttons.ts';
import { needsPeople } from '../core/budget.ts';
import { budgetCorrections, budgetMessage, ownerCorrections, ownerMessage } from '../core/budget-messages.ts';
import type { BudgetDeps } from '../core/evaluation-deps.ts';
import type { Notice, MessageFigures, Summary } from '../core/budget-payload.ts';
import { keysReferencedByMarks } from '../core/budget-retention.ts';
import { findNaming } from '../core/rights.ts';
import { findBudget, isPaused } from '../core/budget-store.ts';
import { percentOf } from '../core/words.ts';
import { namesInMessage } from '../evaluate/members.ts';
import { correctionMessages } from './corrections.ts';
import { reportFailure, stopBudget } from './budget-message-duties.ts';
import { correctedMessage, noticeMessage, summaryMessage } from './budget-messages.ts';

export function budgetMessages(deps: BudgetDeps): MessageHandler[] {
  const write = (message: StoredMessage<Notice | Summary>, reader: Reader) => writeMessage(deps, message, reader);
  const isHeld = ({ payload }: StoredMessage<Notice | Summary>) => isPaused(deps.db, payload.budgetId);
  const buttons = (figures: MessageFigures) => lowerButtons(deps, figures);
  return [
    budgetMessage.handledBy({
      isPaused: isHeld,
      write,
      report: (trx, { payload }) => reportFailure(trx, payload),
      stop: (trx, { payload: { budgetId }, channel }, why, now) => stopBudget(trx, budgetId, channel, why, now),
      keysStillReferenced: keysReferencedByMarks,
    }),
    ownerMessage.handledBy({
      isPaused: isHeld,
      write: (message, reader) =>
        reader.kind === 'person' && reader.seesPeople
          ? write(message, reader)
          : Promise.resolve({ kind: 'skip', reason: 'The owner of the budget may no longer see single people.' }),
      report: (trx, { payload }) => reportFailure(trx, payload),
      keysStillReferenced: keysReferencedByMarks,
    }),
    ...correctionMessages(deps, [budgetCorrections, ownerCorrections], (correction) =>
      correctedMessage(correction, buttons(correction.after.said)),
    ),
    ...budgetNotice.handledBy(deps, ({ payload: { title, budgetId, reason } }) => {
      const what = markup`❌ *${title}:* a message about it couldn’t be posted. ${reason}`;
      const message = namesNobody(messageOf(prose(what), buttonRow(showButton(budgetId))));
      return Promise.resolve({ kind: 'send', message });
    }),
  ];
}

async function writeMessage(
  deps: BudgetDeps,
  { payload }: StoredMessage<Notice | Summary>,
  reader: Reader,
): Promise<WriteDecision> {
  const budget = await findBudget(deps.db, payload.budgetId);
  if (!budget) return { kind: 'skip', reason: 'The budget was deleted.' };
  const isOfPeople = needsPeople(budget.subject);
  const mayName = reader.kind === 'person' ? reader.seesPeople : (await findNaming(deps, budget)) !== undefined;
  // The right of a reader may have ended since the message was enqueued.
  const figures = mayName || !isOfPeople ? payload.said : { ...payload.said, explained: [] };
  const names = await namesInMessage(deps, budget, isOfPeople && figures.explained.length > 0);
  const message =
    payload.kind === 'summary'
      ? summaryMessage({ ...payload, said: figures })
      : noticeMessage({ ...payload, said: figures }, lowerButtons(deps, figures));
  return { kind: 'send', message: { ...message, names, sums: figures.sums ?? [] } };
}

/** Versions before 0.3.0 enqueued this notice of a failure themselves: pending ones are still sent. */
const failureSchema = z.object({ title: z.string(), budgetId: z.string(), reason: z.string() });
const budgetNotice = declareOwnerNotice('budget', failureSchema);

function lowerButtons({ limits }: Pick<BudgetDeps, 'limits'>, { title, spent, credits }: MessageFigures): Button[] {
  return [limits.requestLowerButton(`${title}: ${percentOf(spent, credits)} used`)];
}
