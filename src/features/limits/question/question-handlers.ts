import type { Refusal } from '../../../core/slack/blocks/messages.ts';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { formHandler, freshFormReading } from '../../../core/slack/interactions/forms.ts';
import type { Form, Interaction } from '../../../core/slack/interactions/interactions.ts';
import { sentenceView, type OpenModal } from '../../../core/slack/blocks/views.ts';
import type { FreshPerson } from '../../../core/slack/people/people.ts';
import { markup, mention, type Markup } from '../../../core/base/text/markup.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { peopleOf } from '../core/requests.ts';
import { askLine, unknownRequest } from '../core/state-text.ts';
import { readVisible } from '../rights/visible-requests.ts';
import { denialOf } from '../core/access.ts';
import {
  ADMINS_ONLY,
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
} from './question-form.ts';
import {
  answerQuestion,
  askQuestion,
  checkAnswer,
  checkQuestion,
  type AnswerRejection,
  type QuestionRejection,
} from './question-store.ts';

type By = Pick<Interaction<FreshPerson>, 'person' | 'reply' | 'refusal'>;

const NO_QUESTION = 'There is no such question for you.';

/** The role comes first, so that a person without it does not learn whether the request exists. */
const isForbidden = ({ person }: By) => denialOf({ action: 'decide', involvement: 'none' }, person) !== undefined;

export async function showQuestionForm(deps: LimitDeps, id: string, asker: By, opened: OpenModal): Promise<void> {
  const by = { ...asker, person: await deps.policies.asLead(asker.person, id) };
  if (isForbidden(by)) return by.reply.show(await by.refusal(ADMINS_ONLY));
  const check = await checkQuestion(deps.db, id, by.person, deps.clock.now());
  if (check.kind !== 'may') return by.reply.show(await by.refusal(refusalOfQuestion(check, id)));
  const line = await lineOf(deps, id, by);
  if (!line) return by.reply.show(await by.refusal(unknownRequest(id)));
  await opened.show(questionView(randomUUID(), id, line));
}

/** Opens from *Answer* in the requester’s direct message. */
export async function showAnswerForm(deps: LimitDeps, id: string, by: By, opened: OpenModal): Promise<void> {
  const check = await checkAnswer(deps.db, id, by.person, deps.clock.now());
  if (check.kind !== 'done') return by.reply.show(await by.refusal(refusalOfAnswer(check)));
  const line = await lineOf(deps, check.request.id, by);
  if (!line) return by.reply.show(await by.refusal(NO_QUESTION));
  await opened.show(answerView(check.question, line));
}

async function lineOf({ db }: LimitDeps, id: string, { person }: By): Promise<Markup | undefined> {
  const visible = await readVisible(db, id, person, (from) => peopleOf(from, id, 1));
  return visible && askLine(visible);
}

export function questionForms(deps: LimitDeps): Form[] {
  return [
    textForm(QUESTION_FORM, questionMetadata, (submission, by, opened) => sendQuestion(deps, submission, by, opened)),
    textForm(ANSWER_FORM, answerMetadata, (submission, by, opened) => sendAnswer(deps, submission, by, opened)),
  ];
}

/** A form with one text field. The router cannot give the reason for a refusal, so the handler does. */
const textForm = <About extends object>(
  callbackId: string,
  metadataSchema: z.ZodType<About>,
  send: (submission: About & { text: string }, by: By, opened: OpenModal) => Promise<void>,
): Form =>
  formHandler(callbackId, 'member', (state, metadata) => {
    const about = metadataSchema.parse(JSON.parse(metadata));
    const { text, errors } = readText(state);
    return freshFormReading(errors, 'Sending it …', (by, opened) => send({ ...about, text }, by, opened));
  });

const refusalOfQuestion = (result: QuestionRejection, requestId: string): Refusal =>
  result.kind === 'unknown' ? unknownRequest(requestId) : askRefusal(result.reason, result.request);

const refusalOfAnswer = (result: AnswerRejection): Refusal =>
  result.kind === 'unknown' ? NO_QUESTION : answerRefusal(result.reason, result.request);

async function sendQuestion(
  deps: LimitDeps,
  submission: { id: string; requestId: string; text: string },
  asker: By,
  opened: OpenModal,
): Promise<void> {
  const by = { ...asker, person: await deps.policies.asLead(asker.person, submission.requestId) };
  if (isForbidden(by)) return by.reply.show(await by.refusal(ADMINS_ONLY));
  const result = await askQuestion(deps, submission, by.person);
  if (result.kind !== 'done') return by.reply.show(await by.refusal(refusalOfQuestion(result, submission.requestId)));
  const { requester } = result.request;
  const confirmation = markup`✅ *Sent to ${mention(requester)}.* The answer will appear in the thread of the request.`;
  await opened.show(sentenceView(QUESTION_TITLE, confirmation));
}

async function sendAnswer(
  deps: LimitDeps,
  submission: { id: string; text: string },
  by: By,
  opened: OpenModal,
): Promise<void> {
  const result = await answerQuestion(deps, submission, by.person);
  if (result.kind !== 'done') return by.reply.show(await by.refusal(refusalOfAnswer(result)));
  const confirmation = markup`✅ *Sent.* The admins can read it in the thread of your request.`;
  await opened.show(sentenceView(ANSWER_TITLE, confirmation));
}
