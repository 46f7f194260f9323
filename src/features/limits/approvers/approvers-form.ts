import { formatAmount } from '../../../core/base/text/amounts.ts';
import { joinMarkup, markup, mention, type Markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { section } from '../../../core/slack/blocks/blocks.ts';
import { modal, type ModalView } from '../../../core/slack/blocks/views.ts';
import {
  checkField,
  defineForm,
  textField,
  usersField,
  type FormValues,
} from '../../../core/slack/interactions/form-fields.ts';
import type { ApproverRules } from './approver-rules.ts';
import { OBSTACLE_WORDS } from './obstacles.ts';
import type { PlannedTurn } from './plan-turns.ts';

export const APPROVERS_TITLE = 'Approvers';
export const APPROVERS_FORM = 'limits_approvers_form';
export const MAX_APPROVERS = 10;
export const MAX_HOURS = 168;

export const approversForm = defineForm<{ timeZone: string }>()({
  approvers: usersField(() => ({
    label: 'Who is asked, in this order',
    hint: 'Only admins. Empty: all admins are asked at once. To change the order, remove people and choose them again.',
    isOptional: true,
  })),
  hours: textField(({ timeZone }) => ({
    label: 'Hours until the next one is asked',
    hint: `Requests are handed on from Monday to Friday, from 08:00 to 18:00 (${timeZone}).`,
    isOptional: true,
    longest: 3,
  })),
  secondAbove: textField(() => ({
    label: 'Two approvals above',
    hint: 'Credits that one request sets in total. A second admin then approves it too. Empty: one approval is enough.',
    isOptional: true,
    placeholder: '10m',
    longest: 30,
  })),
  skipsAway: checkField(() => ({
    label: 'Who is away',
    isOptional: true,
    option: {
      value: 'skip',
      text: 'Skip approvers whose status says they’re away',
      description: 'Such as 🌴, or “out of office”. Slack’s green dot doesn’t matter.',
    },
  })),
});
export type TypedApprovers = FormValues<typeof approversForm>;

export const typedOf = ({ approvers, hours, secondAbove, skipsAway }: ApproverRules): TypedApprovers => ({
  approvers,
  hours: String(hours),
  secondAbove: secondAbove === undefined ? '' : formatAmount(secondAbove),
  skipsAway,
});

export function approversView(typed: TypedApprovers, lines: readonly Markup[], facts: { timeZone: string }): ModalView {
  return modal({
    title: APPROVERS_TITLE,
    submit: 'Save',
    callbackId: APPROVERS_FORM,
    blocks: [section(joinMarkup(lines, '\n')), ...approversForm.blocks(facts, typed)],
  });
}

export const INTRODUCTION = markup`Who gets a new request first. Any admin can still decide it at any time.`;

/** Shows which admin would get a new request now, if it concerns none of them. */
export function previewLines(rules: ApproverRules, planned: readonly PlannedTurn[]): Markup[] {
  const asked = planned.find(({ skipped }) => skipped === null)?.approver;
  const position = asked ? rules.approvers.indexOf(asked) : -1;
  const after = position < 0 ? [] : rules.approvers.slice(position + 1);
  return [
    asked
      ? markup`A new request now goes to *${mention(asked)}*, then every ${countOf(rules.hours, 'hour')} to ${joinMarkup([...after.map((id) => mention(id)), markup`all admins`])}.`
      : markup`A new request now goes to *all admins* at once.`,
    ...planned.flatMap(({ approver, skipped }) =>
      skipped === null || approver === null
        ? []
        : [markup`${mention(approver)} is skipped: ${OBSTACLE_WORDS[skipped]}.`],
    ),
    rules.secondAbove === undefined
      ? markup`One approval is enough.`
      : markup`Above ${formatAmount(rules.secondAbove)} credits in total, two admins have to approve.`,
  ];
}
