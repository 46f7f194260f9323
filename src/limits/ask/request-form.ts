import { z } from 'zod';
import { modal, type ModalView } from '../../slack/blocks/views.ts';
import { context, section, type Block } from '../../slack/blocks/blocks.ts';
import { dateTimeInput, textInput, usersInput } from '../../slack/blocks/inputs.ts';
import { joinMarkup, markup, type Markup } from '../../base/text/markup.ts';
import { formatAmount } from '../../base/text/amounts.ts';
import { FIELDS, MAX_REASON_LENGTH, type Field, type Problems, type RequestInput } from './input.ts';

export const ASK_TITLE = 'Request a credit limit';
export const ASK_FORM = 'limits_ask_form';
export const SEND_FORM = 'limits_send_form';

export const formSchema = z.object({
  isForOthers: z.boolean(),
});
/** The state of the form. A client can forge it, so permissions are checked again on submission. */
export type AskForm = z.infer<typeof formSchema>;

export interface OwnLimit {
  email: string | undefined;
  permanentLimit: number | undefined;
}

export const EMPTY_INPUT: RequestInput = { people: [], emails: '', amount: '', reason: '', until: undefined, back: '' };

/** @param own the requester’s e-mail, and the limit that a raise of theirs returns to, if the ledger knows it */
export function askView(form: AskForm, input: RequestInput, own: OwnLimit, problems: Problems = {}): ModalView {
  const fields: Record<Field, Block[]> = {
    people: form.isForOthers
      ? [usersInput({ id: 'people', label: 'For these people', isOptional: true, initial: input.people })]
      : [section(markup`For you: *${own.email ?? ''}*`)],
    emails: form.isForOthers
      ? [
          textInput({
            id: 'emails',
            label: 'E-mails of others',
            hint: 'For people who aren’t in Slack. Separate e-mails by commas or new lines.',
            isOptional: true,
            isMultiline: true,
            initial: input.emails,
          }),
        ]
      : [],
    amount: [
      textInput({
        id: 'amount',
        label: 'New limit',
        hint: form.isForOthers ? 'In credits, for each person.' : 'In credits.',
        placeholder: '5,000,000 or 5m',
        initial: input.amount,
      }),
    ],
    reason: [
      textInput({
        id: 'reason',
        label: 'Why?',
        isMultiline: true,
        longest: MAX_REASON_LENGTH,
        initial: input.reason,
        placeholder: 'For example: the migration needs long sessions this week',
      }),
    ],
    until: [
      dateTimeInput({
        id: 'until',
        label: 'Until when?',
        hint: 'Empty: no end date.',
        isOptional: true,
        initial: input.until,
      }),
    ],
    back: backBlocks(form, input, own),
  };
  const blocks = FIELDS.flatMap((field) => [...problemBlocks(problems[field]), ...fields[field]]);
  return modal({
    title: ASK_TITLE,
    submit: 'Send request',
    callbackId: ASK_FORM,
    metadata: JSON.stringify(form),
    blocks,
  });
}

/** The ledger’s value replaces the question. */
function backBlocks({ isForOthers }: AskForm, input: RequestInput, { permanentLimit }: OwnLimit): Block[] {
  if (!isForOthers && permanentLimit !== undefined)
    return [context(markup`If you set an end date, the limit then returns to *${formatAmount(permanentLimit)}*.`)];
  return [
    textInput({
      id: 'back',
      label: 'Limit afterwards',
      hint: 'Needs an end date. Empty: the last limit set here.',
      isOptional: true,
      initial: input.back,
    }),
  ];
}

function problemBlocks(problem: string | undefined): Block[] {
  return problem === undefined ? [] : [section(markup`*${problem}*`)];
}

/** Shows doubts for confirmation before a request is sent. */
export function confirmationView(draftId: string, lines: readonly Markup[], warnings: readonly Markup[]): ModalView {
  return modal({
    title: ASK_TITLE,
    submit: 'Send request',
    callbackId: SEND_FORM,
    metadata: draftId,
    blocks: [
      section(markup`*Check before you send*`),
      ...warnings.map((warning) => section(warning)),
      context(joinMarkup(lines, '\n')),
    ],
  });
}
