import { LABELS } from '../core/limit-buttons.ts';
import { z } from 'zod';
import { context, section } from '../../../core/slack/blocks/blocks.ts';
import type { Refusal, RoleDenial } from '../../../core/slack/blocks/messages.ts';
import { textInput } from '../../../core/slack/blocks/inputs.ts';
import { modal, type FormState, type ModalView } from '../../../core/slack/blocks/views.ts';
import { markup, mention, type Markup } from '../../../core/base/text/markup.ts';
import type { LimitQuestion, LimitRequest } from '../core/limit-tables.ts';
import { MAX_QUESTIONS, type AnswerRefusal, type AskRefusal } from './rules.ts';

export const QUESTION_TITLE = LABELS.question;
export const QUESTION_FORM = 'limits_question_form';
export const ANSWER_TITLE = 'Answer a question';
export const ANSWER_FORM = 'limits_answer_form';

const MAX_TEXT_LENGTH = 500;
const FIELD = 'text';

export const ADMINS_ONLY: RoleDenial = { what: 'This', role: 'admin' };

const textField = (label: string, hint: string) =>
  textInput({ id: FIELD, label, hint, isMultiline: true, longest: MAX_TEXT_LENGTH });

export const questionMetadata = z.object({ id: z.uuid(), requestId: z.string().max(100) });
export const answerMetadata = z.object({ id: z.uuid() });

/** @param id the id of the future question, so that a form submitted twice asks once */
export function questionView(id: string, requestId: string, requestLine: Markup): ModalView {
  return modal({
    title: QUESTION_TITLE,
    submit: 'Send',
    callbackId: QUESTION_FORM,
    metadata: JSON.stringify({ id, requestId }),
    blocks: [
      section(markup`*${requestLine}*`),
      textField(
        'Your question',
        'The requester gets it by direct message. Their answer appears in the thread of the request.',
      ),
    ],
  });
}

export function answerView({ id, askedBy: by, question }: LimitQuestion, requestLine: Markup): ModalView {
  return modal({
    title: ANSWER_TITLE,
    submit: 'Send',
    callbackId: ANSWER_FORM,
    metadata: JSON.stringify({ id }),
    blocks: [
      section([markup`${mention(by)} asks:`, markup`*${question}*`]),
      context(requestLine),
      textField('Your answer', 'Everyone who can decide your request will read it.'),
    ],
  });
}

export function readText(state: FormState): { text: string; errors: Record<string, string> } {
  const text = state.text(FIELD).trim().slice(0, MAX_TEXT_LENGTH);
  return { text, errors: text === '' ? { [FIELD]: 'Type a few words.' } : {} };
}

type RequestRef = Pick<LimitRequest, 'id' | 'requester'>;

export function askRefusal(reason: AskRefusal, { id }: RequestRef): Refusal {
  const request = markup`\`${id}\``;
  switch (reason) {
    case 'own_request':
      return markup`The request ${request} is your own or for you, so another admin has to review it.`;
    case 'not_waiting':
      return markup`The request ${request} no longer waits for a decision, so there’s nothing left to ask.`;
    case 'too_many':
      return markup`${MAX_QUESTIONS} questions were asked about ${request} already. Write to the requester directly.`;
    case 'admins_only':
      return ADMINS_ONLY;
    default:
      return reason satisfies never;
  }
}

export function answerRefusal(reason: AnswerRefusal, { id, requester }: RequestRef): Markup {
  const request = markup`\`${id}\``;
  switch (reason) {
    case 'answered':
      return markup`You’ve already answered this. Type \`/limits show ${id}\` to read it.`;
    case 'not_waiting':
      return markup`The request ${request} no longer waits for a decision, so an answer isn’t needed anymore.`;
    case 'not_theirs':
      return markup`Only ${mention(requester)}, who made the request ${request}, can answer.`;
    default:
      return reason satisfies never;
  }
}
