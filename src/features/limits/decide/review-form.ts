import { modal, type ModalView } from '../../../core/slack/blocks/views.ts';
import { actions, context, divider, section, type Block } from '../../../core/slack/blocks/blocks.ts';
import { checkboxesInput, textInput } from '../../../core/slack/blocks/inputs.ts';
import { joinMarkup, markup, type Markup } from '../../../core/base/text/markup.ts';
import { formatAmount } from '../../../core/base/text/amounts.ts';
import { concernLines, openLines, removalLines, type CardFacts } from '../card/request-card.ts';
import { secondApprovalSentence } from '../approvers/card-approvers.ts';
import { highestAmount, needsSecondApproval, totalRequested } from '../approvers/second-approval.ts';
import { costLines } from '../card/totals-text.ts';
import { budgetLines } from '../card/budget-lines.ts';
import { evidenceLines, evidenceNote } from '../card/evidence-text.ts';
import { NO_OWN_LIMIT } from '../core/amount-rule.ts';
import type { LimitPerson } from '../core/limit-tables.ts';
import { currentLimitWords, personLine } from '../core/person-text.ts';
import { amountId, backId, CONFIRMATION, HIGHEST_RETURN, MAX_COMMENT_LENGTH, MAX_FIELDS } from './read-form.ts';
import { LABELS, denyButton, simulateButton } from '../core/limit-buttons.ts';
import { askLine, stateLine, untilLine } from '../core/state-text.ts';

export const REVIEW_TITLE = 'Review a request';
/** The form’s button approves. An earlier version had another id and a choice; it is not read as an approval. */
export const APPROVE_FORM = 'limits_approve_form';

const HAS_MOVED =
  'The limits in force have changed since you opened this. Nothing was approved: check them, and approve again.';

/** `seen` identifies the limits in force that it shows. `people` have their own field, without the admin; `approvable` is the total if approved unchanged. */
export function reviewView(
  facts: CardFacts,
  people: readonly LimitPerson[],
  { approvable, seen, hasMoved = false }: { approvable: number; seen: string | undefined; hasMoved?: boolean },
): ModalView {
  const { request } = facts;
  const hasFields = request.people <= MAX_FIELDS;
  const fieldPeople = hasFields ? people : [];
  const isAlone = facts.involvement === 'requester_for_others';
  const lines = headLines(facts, hasFields);
  const evidence = facts.evidence ? evidenceLines(facts.evidence, facts.people, facts.history) : [];
  return modal({
    title: REVIEW_TITLE,
    submit: 'Approve',
    callbackId: APPROVE_FORM,
    metadata: metadataOf(request, fieldPeople, { needsConfirmation: isAlone, seen }),
    blocks: [
      ...(hasMoved ? [section(markup`*${HAS_MOVED}*`)] : []),
      section(joinMarkup(lines, '\n')),
      ...concernBlocks(facts, approvable),
      ...(evidence.length > 0 ? [section(joinMarkup(evidence, '\n\n'))] : []),
      ...(facts.evidence?.kind === 'read' ? [context(evidenceNote(facts.evidence.evidence))] : []),
      ...(facts.totals.removals < request.people ? [actions(simulateButton({ request: request.id }))] : []),
      divider(),
      ...(hasFields ? fieldPeople.flatMap((person) => personFields(person, facts)) : listFields(facts)),
      textInput({
        id: 'comment',
        label: 'Comment',
        hint: 'The requester will read it.',
        isOptional: true,
        isMultiline: true,
        longest: MAX_COMMENT_LENGTH,
      }),
      ...(isAlone ? [confirmationField()] : []),
      context(markup`${effectOfApproval(facts)} *${LABELS.deny}* asks you for the reason.`),
      actions(denyButton(request.id)),
    ],
  });
}

function effectOfApproval({ request, approvers, totals }: CardFacts): Markup {
  if (request.state === 'second_approval')
    return markup`*Approve* gives the second approval, and sets the limits on the platform now.`;
  return needsSecondApproval(totalRequested(totals), approvers)
    ? markup`${secondApprovalSentence(approvers?.secondAbove ?? 0)} At or below it, *Approve* sets the limits now.`
    : markup`*Approve* sets the limits on the platform now.`;
}

function headLines(facts: CardFacts, hasFields: boolean): Markup[] {
  const until = untilLine(facts);
  return [
    markup`*${askLine(facts)}*`,
    markup`Why: ${facts.request.reason ?? ''}`,
    ...(facts.request.state === 'second_approval' ? [stateLine(facts)] : []),
    ...(until ? [markup`*${until}*`] : []),
    ...(facts.policy?.lines ?? []),
    ...removalLines(facts),
    ...openLines(facts.open),
    ...(hasFields ? [] : facts.people.slice(0, MAX_EXAMPLES).map((person) => markup`•  ${personLine(person)}`)),
    ...(facts.involvement === 'among_others'
      ? [markup`You are left out, because admins can’t decide their own limit. Yours needs another request.`]
      : []),
  ];
}

const MAX_EXAMPLES = 5;
const MAX_OUTLIERS = 10;

/** Totals and outliers come before the fields, because one click approves everything. */
function concernBlocks(facts: CardFacts, approvable: number): Block[] {
  const { evidence, request, totals } = facts;
  const totalClause = evidence?.kind === 'read' ? '' : `, of ${formatAmount(totals.requested)} requested`;
  const lines = [
    ...costLines(facts),
    ...budgetLines(facts.budgets ?? []),
    ...concernLines(evidence, MAX_OUTLIERS),
    ...(request.people > 1 ? [markup`If you approve all: *${formatAmount(approvable)}* in total${totalClause}.`] : []),
  ];
  return lines.length === 0 ? [] : [section(joinMarkup(lines, '\n'))];
}

function confirmationField(): Block {
  return checkboxesInput({
    id: CONFIRMATION,
    label: 'You made this request, and there is no other admin',
    hint: 'The audit, the card and the messages about it say “decided alone”.',
    isOptional: true,
    options: [{ value: 'confirmed', text: 'I decide this alone' }],
  });
}

function metadataOf(
  { id, state }: CardFacts['request'],
  people: readonly LimitPerson[],
  { needsConfirmation, seen }: { needsConfirmation: boolean; seen: string | undefined },
): string {
  const fields = people.map((person) => ({
    at: person.position,
    asked: highestAmount(person),
    back: person.returnValue,
    ...(person.removes === 1 ? { removes: true } : {}),
  }));
  return JSON.stringify({
    id,
    fields,
    ...(needsConfirmation ? { needsConfirmation } : {}),
    ...(state === 'second_approval' ? { isSecond: true } : {}),
    ...(seen === undefined ? {} : { seen }),
  });
}

function personFields(person: LimitPerson, { evidence }: CardFacts): Block[] {
  const { position, toValue: requested, returnValue: returnTo, email } = person;
  if (person.removes === 1) return [removalField(person)];
  const outlier = evidence?.kind === 'read' ? evidence.evidence.outliers.find((one) => one.email === email) : undefined;
  const amount = textInput({
    id: amountId(position),
    label: `New limit for ${email}`,
    hint: `${outlier ? OUTLIER_HINTS[outlier.kind](outlier.used) : ''}Requested: ${formatAmount(requested)}.${firstAmount(person)} Before: ${currentLimitWords(person.fromValue, person.fromDeclared, person.shownBefore)}. You can approve less. Clear the field to leave this person out; their limit stays as it is.`,
    isOptional: true,
    initial: formatAmount(highestAmount(person)),
  });
  if (returnTo === null) return [amount];
  const hint = `At most ${formatAmount(returnTo)}, and never above the new limit.`;
  return [
    amount,
    textInput({
      id: backId(position),
      label: `Limit afterwards for ${email}`,
      hint,
      isOptional: true,
      initial: formatAmount(returnTo),
    }),
  ];
}

const removalField = (person: LimitPerson): Block =>
  textInput({
    id: amountId(person.position),
    label: `New limit for ${person.email}`,
    hint: `“${NO_OWN_LIMIT}” removes their own limit. Before: ${currentLimitWords(person.fromValue, person.fromDeclared, person.shownBefore)}. Clear the field to leave this person out; their limit stays as it is.`,
    isOptional: true,
    initial: NO_OWN_LIMIT,
  });

const firstAmount = ({ approvedValue: value }: LimitPerson): string =>
  value === null ? '' : ` First approval: ${formatAmount(value)}.`;

const OUTLIER_HINTS = {
  below_use: (used: number) => `⚠️ Less than the ${formatAmount(used)} used in the last 28 days. `,
  far_above: () => '⚠️ Far above the others. ',
} as const;

function listFields({ request }: CardFacts): Block[] {
  const exceptions = textInput({
    id: 'exceptions',
    label: 'Exceptions',
    hint: `One a line: an e-mail alone leaves that person out; “e-mail,amount” gives less. The others of the ${formatAmount(request.people)} get the requested limit.`,
    isOptional: true,
    isMultiline: true,
  });
  if (request.until === null) return [exceptions];
  const hint = 'Empty: as shown above. Never above the new limit.';
  return [exceptions, textInput({ id: HIGHEST_RETURN, label: 'Afterwards at most', hint, isOptional: true })];
}
