import { buttonRow, messageOf, prose } from '../../../core/slack/blocks/paragraphs.ts';
import { markup, mention } from '../../../core/base/text/markup.ts';
import { COVERED, type FailureReport } from '../../../core/outbox/message-duties.ts';
import { type MessageHandler } from '../../../core/outbox/message-kind.ts';
import { namesNobody } from '../../../core/outbox/poster.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import { answerButton, showButton } from '../core/limit-buttons.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { answerMessage, questionMessage } from '../core/limit-messages.ts';
import { peopleOf } from '../core/requests.ts';
import { askLine } from '../core/state-text.ts';
import { isWaiting } from '../core/states.ts';
import { readVisible, viewerOf } from '../rights/visible-requests.ts';
import { withLimits } from '../core/limit-tables.ts';
import { recordDeletedCard, viewerOfCard } from '../card/write-request-cards.ts';
import { findQuestion } from './question-store.ts';

const GONE = 'Its question no longer exists.';

export const questionMessages = (deps: LimitDeps): MessageHandler[] => [question(deps), answer(deps)];

const question = ({ db }: LimitDeps) =>
  questionMessage.handledBy({
    isRoleFresh: true,
    write: async ({ payload: { questionId } }, reader) => {
      const storedQuestion = await findQuestion(db, questionId);
      if (!storedQuestion) return { kind: 'skip', reason: GONE };
      if (storedQuestion.answer !== null) return { kind: 'skip', reason: 'It was answered.' };
      const { requestId: id } = storedQuestion;
      const visible = await readVisible(db, id, viewerOf(reader), (from) => peopleOf(from, id, 1));
      if (visible?.involvement !== 'requester')
        return { kind: 'skip', reason: 'The reader did not send this request.' };
      if (!isWaiting(visible.request)) return { kind: 'skip', reason: 'It no longer waits for a decision.' };
      const lines = [
        markup`*${mention(storedQuestion.askedBy)} has a question about your request \`${id}\`*`,
        markup`${storedQuestion.question}`,
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
      const storedQuestion = await findQuestion(deps.db, questionId);
      if (!storedQuestion || storedQuestion.answeredBy === null) return { kind: 'skip', reason: GONE };
      const { requestId: id } = storedQuestion;
      const viewer = await viewerOfCard(deps, id, reader);
      const visible = viewer && (await readVisible(deps.db, id, viewer, (from) => peopleOf(from, id, 1)));
      if (!visible || visible.extent !== 'all') return { kind: 'skip', reason: 'The reader no longer sees all of it.' };
      const lines = [
        markup`${mention(storedQuestion.askedBy)} asked: ${storedQuestion.question}`,
        markup`${mention(storedQuestion.answeredBy)} answered: *${storedQuestion.answer ?? ''}*`,
      ];
      return { kind: 'send', message: namesNobody(messageOf(prose(lines))) };
    },
    whenFailed: recordDeletedCard,
    report: (trx, { payload }) => report(trx, payload.questionId, 'answer to the question'),
  });

async function report(trx: DatabaseTransaction, questionId: string, what: string): Promise<readonly FailureReport[]> {
  const storedQuestion = await findQuestion(withLimits(trx), questionId);
  if (!storedQuestion) return COVERED;
  const { requestId: id, askedBy: owner } = storedQuestion;
  return [{ owner, what: `The ${what} about request ${id}`, command: { command: '/limits', words: ['show', id] } }];
}
