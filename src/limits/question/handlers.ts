import { randomUUID } from 'node:crypto';
import type { Form, Interaction } from '../../slack/interactions.ts';
import { modal, sentenceView, type ModalView, type OpenModal } from '../../slack/blocks/views.ts';
import { section } from '../../slack/blocks/blocks.ts';
import type { FreshPerson } from '../../slack/people/people.ts';
import { markup, mention, type Markup } from '../../base/text/markup.ts';
import type { LimitDeps } from '../core/deps.ts';
import { peopleOf } from '../core/requests.ts';
import { askLine, ROLE_LINES, unknownRequest } from '../core/state-text.ts';
import { readVisible } from '../core/visible-requests.ts';
import { denialOf } from '../core/access.ts';
import {
  ANSWER_FORM,
  ANSWER_TITLE,
  answerMetadata,
  answerRefusal,
  answerView,
  askRefusal,
  QUESTION_FORM,
  QUESTION_TITLE,
  questionMetadata,
  questionView,
  readText,
} from './form.ts';
import { answerQuestion, askQuestion, mayAnswer, mayAsk } from './store.ts';

type By = Pick<Interaction<FreshPerson>, 'person'>;

const lineView = (title: string, line: Markup): ModalView => modal({ title, blocks: [section(line)] });
const NO_QUESTION = 'There is no such question for you.';

/** The role comes first: somebody without it does not even learn whether there is such a request. */
const isForbidden = ({ person }: By) => denialOf({ action: 'decide', involvement: 'none' }, person) !== undefined;

/** *Ask a question* on a card. */
export async function showQuestionForm(deps: LimitDeps, id: string, by: By, opened: OpenModal): Promise<void> {
  if (isForbidden(by)) return opened.show(sentenceView(QUESTION_TITLE, ROLE_LINES.admins_only));
  const allowed = await mayAsk(deps.db, id, by.person, deps.clock.now());
  const line = await lineOf(deps, id, by);
  if (allowed.kind === 'unknown' || !line) return opened.show(sentenceView(QUESTION_TITLE, unknownRequest(id)));
  if (allowed.kind === 'refused')
    return opened.show(lineView(QUESTION_TITLE, askRefusal(allowed.reason, allowed.request)));
  await opened.show(questionView(randomUUID(), id, line));
}

/** *Answer* in the direct message of the requester. */
export async function showAnswerForm(deps: LimitDeps, id: string, by: By, opened: OpenModal): Promise<void> {
  const allowed = await mayAnswer(deps.db, id, by.person, deps.clock.now());
  if (allowed.kind === 'refused')
    return opened.show(lineView(ANSWER_TITLE, answerRefusal(allowed.reason, allowed.request)));
  const line = allowed.kind === 'done' ? await lineOf(deps, allowed.request.id, by) : undefined;
  if (allowed.kind === 'unknown' || !line) return opened.show(sentenceView(ANSWER_TITLE, NO_QUESTION));
  await opened.show(answerView(allowed.question, line));
}

async function lineOf({ db }: LimitDeps, id: string, { person }: By): Promise<Markup | undefined> {
  const visible = await readVisible(db, id, person, (from) => peopleOf(from, id, 1));
  return visible && askLine(visible);
}

export function questionForms(deps: LimitDeps): Form[] {
  return [
    {
      callbackId: QUESTION_FORM,
      // Somebody who may not ask is told why, which the router does not know.
      role: 'member',
      read: (state, metadata) => {
        const about = questionMetadata.parse(JSON.parse(metadata));
        const { text, errors } = readText(state);
        if (Object.keys(errors).length > 0) return { kind: 'errors', errors };
        return {
          kind: 'accepted',
          isRoleFresh: true,
          working: 'Sending it …',
          run: (interaction, opened) => sendQuestion(deps, { ...about, text }, interaction, opened),
        };
      },
    },
    {
      callbackId: ANSWER_FORM,
      role: 'member',
      read: (state, metadata) => {
        const { id } = answerMetadata.parse(JSON.parse(metadata));
        const { text, errors } = readText(state);
        if (Object.keys(errors).length > 0) return { kind: 'errors', errors };
        return {
          kind: 'accepted',
          isRoleFresh: true,
          working: 'Sending it …',
          run: (interaction, opened) => sendAnswer(deps, { id, text }, interaction, opened),
        };
      },
    },
  ];
}

async function sendQuestion(
  deps: LimitDeps,
  asked: { id: string; requestId: string; text: string },
  by: By,
  opened: OpenModal,
): Promise<void> {
  if (isForbidden(by)) return opened.show(sentenceView(QUESTION_TITLE, ROLE_LINES.admins_only));
  const result = await askQuestion(deps, asked, by.person);
  if (result.kind === 'unknown') return opened.show(sentenceView(QUESTION_TITLE, unknownRequest(asked.requestId)));
  if (result.kind === 'refused')
    return opened.show(lineView(QUESTION_TITLE, askRefusal(result.reason, result.request)));
  const { requester } = result.request;
  const sent = markup`✅ *Sent to ${mention(requester)}.* The answer will appear in the thread of the request.`;
  await opened.show(lineView(QUESTION_TITLE, sent));
}

async function sendAnswer(
  deps: LimitDeps,
  answered: { id: string; text: string },
  by: By,
  opened: OpenModal,
): Promise<void> {
  const result = await answerQuestion(deps, answered, by.person);
  if (result.kind === 'unknown') return opened.show(sentenceView(ANSWER_TITLE, NO_QUESTION));
  if (result.kind === 'refused')
    return opened.show(lineView(ANSWER_TITLE, answerRefusal(result.reason, result.request)));
  const sent = markup`✅ *Sent.* The admins can read it in the thread of your request.`;
  await opened.show(lineView(ANSWER_TITLE, sent));
}
