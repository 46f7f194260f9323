import { buttonRow, messageOf, prose } from '../../slack/blocks/paragraphs.ts';
import { markup, mention } from '../../base/text/markup.ts';
import { COVERED, type FailureReport, type MessageHandler } from '../../outbox/message-duties.ts';
import { namesNobody } from '../../outbox/poster.ts';
import type { DatabaseTransaction } from '../../store/tables.ts';
import { answerButton, showButton } from '../core/limit-buttons.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { answerMessage, questionMessage } from '../core/limit-messages.ts';
import { peopleOf } from '../core/requests.ts';
import { askLine } from '../core/state-text.ts';
import { readVisible, viewerOf } from '../core/visible-requests.ts';
import { withLimits } from '../core/limit-tables.ts';
import { mayRead, noteDeletedCard } from '../card/write-request-cards.ts';
import { findQuestion } from './question-store.ts';

const GONE = 'Its question no longer exists.';

export const questionMessages = (deps: LimitDeps): MessageHandler[] => [question(deps), answer(deps)];

const question = ({ db }: LimitDeps) =>
  questionMessage.handledBy({
    isRoleFresh: true,
    write: async ({ payload: { questionId } }, reader) => {
      const asked = await findQuestion(db, questionId);
      if (!asked) return { kind: 'skip', reason: GONE };
      if (asked.answer !== null) return { kind: 'skip', reason: 'It was answered.' };
      const { request_id: id } = asked;
      const visible = await readVisible(db, id, viewerOf(reader), (from) => peopleOf(from, id, 1));
      if (visible?.involvement !== 'requester') return { kind: 'skip', reason: 'The reader did not ask for it.' };
      if (visible.request.state !== 'pending') return { kind: 'skip', reason: 'It no longer waits for a decision.' };
      const lines = [
        markup`*${mention(asked.asked_by)} has a question about your request \`${id}\`*`,
        markup`${asked.question}`,
      ];
      const message = messageOf(
        prose(lines),
        prose(markup`${askLine(visible)}.`),
        buttonRow(answerButton(questionId), showButton(id)),
      );
      return { kind: 'send', message: namesNobody(message) };
    },
    report: (trx, { payload }) => report(trx, payload.questionId, 'question'),
  });

const answer = (deps: LimitDeps) =>
  answerMessage.handledBy({
    isRoleFresh: true,
    follows: ({ cardKey: key }) => ({ key, what: 'card', as: 'reply' }),
    write: async ({ payload: { questionId } }, reader) => {
      const asked = await findQuestion(deps.db, questionId);
      if (!asked || asked.answered_by === null) return { kind: 'skip', reason: GONE };
      const { request_id: id } = asked;
      const visible =
        mayRead(reader) && (await readVisible(deps.db, id, viewerOf(reader), (from) => peopleOf(from, id, 1)));
      if (!visible || visible.extent !== 'all') return { kind: 'skip', reason: 'The reader no longer sees all of it.' };
      const lines = [
        markup`${mention(asked.asked_by)} asked: ${asked.question}`,
        markup`${mention(asked.answered_by)} answered: *${asked.answer ?? ''}*`,
      ];
      return { kind: 'send', message: namesNobody(messageOf(prose(lines))) };
    },
    whenFailed: noteDeletedCard,
    report: (trx, { payload }) => report(trx, payload.questionId, 'answer to the question'),
  });

/** Reports to the admin who asked. */
async function report(trx: DatabaseTransaction, questionId: string, what: string): Promise<readonly FailureReport[]> {
  const asked = await findQuestion(withLimits(trx), questionId);
  // Its request was deleted.
  if (!asked) return COVERED;
  const { request_id: id, asked_by: owner } = asked;
  return [{ owner, what: `The ${what} about request ${id}`, command: { command: '/limits', words: ['show', id] } }];
}
