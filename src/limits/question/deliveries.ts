import { findDelivery } from '../../outbox/past-deliveries.ts';
import { deliveryOf } from '../../outbox/delivery-kind.ts';
import { buttonRow, messageOf, prose } from '../../slack/blocks/paragraphs.ts';
import { placeOfMessage, waitForMessage } from '../../slack/outbound/posted-message.ts';
import { markup, mention } from '../../base/text/markup.ts';
import { answerButton, showButton } from '../core/buttons.ts';
import type { LimitDeps } from '../core/deps.ts';
import { aboutAnswer, aboutQuestion } from '../core/notify.ts';
import { peopleOf } from '../core/requests.ts';
import { askLine } from '../core/state-text.ts';
import { readVisible, viewerOf } from '../core/visible-requests.ts';
import { readerOf } from '../card/deliveries.ts';
import { findQuestion } from './store.ts';

const GONE = 'Its question no longer exists.';

export const questionDelivery = ({ db, people }: LimitDeps) =>
  deliveryOf(aboutQuestion, async ({ questionId }, { channel }) => {
    const question = await findQuestion(db, questionId);
    if (!question) return { kind: 'skip', reason: GONE };
    const { request_id: id } = question;
    const visible = await readVisible(db, id, await viewerOf(people, channel), (from) => peopleOf(from, id, 1));
    if (visible?.involvement !== 'requester') return { kind: 'skip', reason: 'The reader did not ask for it.' };
    if (visible.request.state !== 'pending') return { kind: 'skip', reason: 'It no longer waits for a decision.' };
    const lines = [
      markup`*${mention(question.asked_by)} has a question about your request \`${id}\`*`,
      markup`${question.question}`,
    ];
    const message = messageOf(
      prose(lines),
      prose(markup`${askLine(visible)}.`),
      buttonRow(answerButton(questionId), showButton(id)),
    );
    return { kind: 'send', message };
  });

/** Puts question and answer into the thread of a card, for those who read the card. */
export const answerDelivery = (deps: LimitDeps) =>
  deliveryOf(aboutAnswer, async ({ questionId, cardKey }) => {
    const [question, card] = await Promise.all([findQuestion(deps.db, questionId), findDelivery(deps.db, cardKey)]);
    if (!question || question.answered_by === null) return { kind: 'skip', reason: GONE };
    const replyTo = placeOfMessage(card);
    if (!card || !replyTo) return waitForMessage(deps, card, 'card');
    const reader = await readerOf(deps, card.channel);
    const { request_id: id } = question;
    const visible = reader && (await readVisible(deps.db, id, reader, (from) => peopleOf(from, id, 1)));
    if (visible?.extent !== 'all') return { kind: 'skip', reason: 'The reader no longer sees all of it.' };
    const lines = [
      markup`${mention(question.asked_by)} asked: ${question.question}`,
      markup`${mention(question.answered_by)} answered: *${question.answer ?? ''}*`,
    ];
    return { kind: 'send', message: { ...messageOf(prose(lines)), replyTo } };
  });
