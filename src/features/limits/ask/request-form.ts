import { z } from 'zod';
import { modal, type ModalView } from '../../../core/slack/blocks/views.ts';
import { context, section, type Block } from '../../../core/slack/blocks/blocks.ts';
import {
  dateTimeField,
  defineForm,
  selectField,
  textField,
  usersField,
} from '../../../core/slack/interactions/form-fields.ts';
import { joinMarkup, markup, plainLines, type Markup } from '../../../core/base/text/markup.ts';
import { limitPeriodSchema } from '../../../core/base/time/limit-period-days.ts';
import { formatAmount } from '../../../core/base/text/amounts.ts';
import { permanentAmountOf } from '../../../core/figures/known-limit.ts';
import { currentLimitWords, shownBefore } from '../core/person-text.ts';
import { NO_OWN_LIMIT } from '../core/amount-rule.ts';
import type { AskFacts } from './ask-facts.ts';
import { endingOptions, FIELDS, MAX_REASON_LENGTH, type Problems, type RequestInput } from './input.ts';

export const ASK_TITLE = 'Request a credit limit';
export const ASK_FORM = 'limits_ask_form';
export const SEND_FORM = 'limits_send_form';

export const formSchema = z.object({
  isForOthers: z.boolean(),
  /** In which limits counted when the form was shown; forms of earlier versions lack it. */
  month: limitPeriodSchema.optional(),
  /** The requester cannot work until it is decided. */
  isBlocked: z.boolean().optional(),
  sessionKey: z.string().max(100).optional(),
});
/** The state of the form. A client can forge it, so permissions are checked again on submission. */
export type AskForm = z.infer<typeof formSchema>;

/** The choice of people, which shows what they used. */
export const PEOPLE_ACTION = 'limits_ask_people';
/** The choice that shows other fields. */
export const ENDING_ACTION = 'limits_ask_ending';

export const EMPTY_INPUT: RequestInput = {
  people: [],
  emails: '',
  amount: '',
  reason: '',
  ending: 'none',
  until: undefined,
  back: '',
};

interface FieldFacts extends AskForm {
  own: AskFacts;
}

const requestFields = defineForm<FieldFacts>()(
  {
    people: usersField(() => ({ label: 'For these people', actionId: PEOPLE_ACTION, isOptional: true })),
    emails: textField(() => ({
      label: 'E-mails of others',
      hint: 'For people who aren’t in Slack. Separate e-mails by commas or new lines.',
      isOptional: true,
      isMultiline: true,
    })),
    amount: textField(({ isForOthers, own }) => ({
      label: 'New limit',
      hint: `${isForOthers ? 'In credits, for each person' : 'In credits'}${own.mayRemove ? REMOVAL_HINT : '.'}`,
      placeholder: '5,000,000 or 5m',
    })),
    reason: textField(() => ({
      label: 'Why?',
      isMultiline: true,
      longest: MAX_REASON_LENGTH,
      placeholder: 'For example: the migration needs long sessions this week',
    })),
    ending: selectField(({ own }) => ({
      label: 'Until when?',
      actionId: ENDING_ACTION,
      options: endingOptions(own.month),
    })),
    until: dateTimeField(() => ({ label: 'End date' })),
    back: textField(({ isForOthers, own }) => ({
      label: 'Limit afterwards',
      hint: isForOthers ? 'Empty: the last limit known here.' : backHint(own),
      isOptional: true,
    })),
  },
  {
    people: ({ isForOthers }) => isForOthers,
    emails: ({ isForOthers }) => isForOthers,
    until: (_facts, { ending }) => ending === 'other',
    back: ({ isForOthers, own }, { ending }) => ending !== 'none' && returnOf(isForOthers, own) === undefined,
  },
);

/** Only where the choice exists. */
const REMOVAL_HINT = `, or “${NO_OWN_LIMIT}” for no limit of their own.`;

/** The ledger’s value, which replaces the question for the limit afterwards. */
const returnOf = (isForOthers: boolean, { limit }: AskFacts) => (isForOthers ? undefined : permanentAmountOf(limit));

function backHint({ limit }: AskFacts): string {
  switch (limit.kind) {
    case 'none':
      return 'Quartermaster doesn’t know your limit.';
    case 'declared':
      return `Empty: ${formatAmount(limit.value)}, as declared.`;
    case 'set':
      return `Empty: ${formatAmount(limit.permanent)}, as set here.`;
    case 'shown':
      return `Empty: ${formatAmount(limit.permanent)}, as the platform shows.`;
    case 'unlimited':
      return 'The platform shows no limit for you.';
    case 'unclear':
      return 'What the platform shows of your limit isn’t clear.';
    default:
      return limit satisfies never;
  }
}

/** @param own the requester’s e-mail, and the limit that a raise of theirs returns to, if the ledger knows it */
export function askView(form: AskForm, input: RequestInput, own: AskFacts, problems: Problems = {}): ModalView {
  const returnTo = returnOf(form.isForOthers, own);
  const blocks = FIELDS.flatMap((field) => [
    ...problemBlocks(problems[field]),
    ...requestFields.blocks({ ...form, own }, input, [field]),
  ]);
  const hints = form.isForOthers ? own.namedUse : plainLines(own.ownUse);
  const view = modal({
    title: ASK_TITLE,
    submit: 'Send request',
    callbackId: ASK_FORM,
    metadata: JSON.stringify({ ...form, month: own.month }),
    blocks: [
      ...(form.isForOthers
        ? []
        : [section(joinMarkup([markup`For you: *${own.email ?? ''}*`, ...shownLine(own)], '\n'))]),
      ...[...hints, ...plainLines(own.others)].map((hint) => context(markup`${hint}`)),
      ...blocks,
      ...(returnTo === undefined || input.ending === 'none'
        ? []
        : [context(markup`After the end date, the limit returns to *${formatAmount(returnTo)}*.`)]),
    ],
  });
  return form.isForOthers ? { ...view, names: own.names } : view;
}

/** On a platform that does not show limits, the form is the same whatever is known. */
function shownLine({ limit }: AskFacts): Markup[] {
  const before = shownBefore(limit);
  if (before === undefined) return [];
  const source = 'isCurrent' in limit && limit.isCurrent ? ', as the platform shows' : '';
  return [markup`Now: ${currentLimitWords(undefined, undefined, before)}${source}`];
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
