import { z } from 'zod';
import type { Form, Interaction, OpenModal } from '../feature.ts';
import { context, divider, section, type Block } from '../slack/blocks.ts';
import { numberInput, radioInput, textInput } from '../slack/inputs.ts';
import type { FreshPerson } from '../slack/people.ts';
import { joinMarkup, markup } from '../slack/text.ts';
import { modal, type FormState, type ModalView } from '../slack/views.ts';
import { AMOUNT_RULE, formatAmount, readAmount } from './amounts.ts';
import { openLines, type CardFacts } from './card.ts';
import { evidenceLines, evidenceNote } from './evidence-lines.ts';
import type { LimitPerson } from './limit-tables.ts';
import { knownWords, nameOf, personLine } from './person-lines.ts';
import { askLine, untilLine } from './state-lines.ts';
import { emailOf } from './wish.ts';

export const REVIEW_TITLE = 'Review a request';
const REVIEW_FORM = 'limits_review_form';

/** Up to so many people each have a field of their own; for more, exceptions are typed. */
export const MOST_FIELDS = 20;
const LONGEST_COMMENT = 500;

const metadataSchema = z.object({
  id: z.string().max(100),
  /** What was asked for each person who has a field; the store is asked again. */
  asked: z.array(z.number()).max(MOST_FIELDS),
});

/** What a reviewer typed. */
export interface Review {
  id: string;
  verdict: 'approve' | 'deny';
  comment: string;
  /** By the person’s position: the amount, or nothing for somebody who is left out. */
  amounts: ReadonlyMap<number, number | undefined>;
  /** By e-mail, where there are no fields. */
  exceptions: ReadonlyMap<string, number | undefined>;
}

/** The form in which an admin decides. */
export function reviewView(facts: CardFacts, people: readonly LimitPerson[]): ModalView {
  const { request } = facts;
  const hasFields = request.people <= MOST_FIELDS;
  const shown = hasFields ? people : [];
  const until = untilLine(request, people);
  const lines = [
    markup`*${askLine(request, people)}*`,
    markup`Why: ${request.reason}`,
    ...(until ? [until] : []),
    ...openLines(facts.open),
    ...(hasFields ? [] : facts.people.map((person) => markup`•  ${personLine(person)}`)),
  ];
  const evidence = facts.evidence ? evidenceLines(facts.evidence, facts.people, facts.history) : [];
  return modal({
    title: REVIEW_TITLE,
    submit: 'Decide',
    callbackId: REVIEW_FORM,
    metadata: JSON.stringify({ id: request.id, asked: shown.map(({ to_value: value }) => value) }),
    blocks: [
      section(joinMarkup(lines, '\n')),
      ...(evidence.length > 0 ? [section(joinMarkup(evidence, '\n\n'))] : []),
      ...(facts.evidence?.kind === 'read' ? [context(evidenceNote(facts.evidence.evidence))] : []),
      divider(),
      radioInput({
        id: 'verdict',
        label: 'Your decision',
        options: [
          { value: 'approve', text: 'Approve and set it on the platform' },
          { value: 'deny', text: 'Deny' },
        ],
      }),
      ...(hasFields ? shown.map((person) => amountField(person)) : [exceptionsField(request.people)]),
      textInput({
        id: 'comment',
        label: 'Comment',
        hint: 'The requester reads it.',
        isOptional: true,
        isMultiline: true,
        longest: LONGEST_COMMENT,
      }),
    ],
  });
}

function amountField(person: LimitPerson): Block {
  const { position, to_value: asked, from_value: from } = person;
  return numberInput({
    id: amountId(position),
    label: `New limit for ${person.email}`,
    hint: `Asked: ${formatAmount(asked)}, now: ${knownWords(from)}. Less is possible; empty leaves them out.`,
    isOptional: true,
    initial: asked,
  });
}

const amountId = (position: number) => `amount_${position}`;

function exceptionsField(count: number): Block {
  return textInput({
    id: 'exceptions',
    label: 'Exceptions',
    hint: `One a line: an e-mail alone leaves that person out; “e-mail,amount” gives less. The others of the ${formatAmount(count)} get what was asked.`,
    isOptional: true,
    isMultiline: true,
  });
}

/** What was submitted, with what is wrong with it at its fields. Pure. */
export function readReview(state: FormState, metadata: string): { review: Review; errors: Record<string, string> } {
  const { id, asked } = metadataSchema.parse(JSON.parse(metadata));
  const errors: Record<string, string> = {};
  const verdict = state.option('verdict') === 'deny' ? 'deny' : 'approve';
  if (state.option('verdict') === undefined) errors['verdict'] = 'Choose one.';
  const amounts = new Map(
    asked.map((most, position) => {
      const field = amountId(position);
      const typed = state.text(field);
      const amount = readAmount(typed);
      if (typed !== '' && amount === undefined) errors[field] = AMOUNT_RULE;
      if (amount !== undefined && amount > most) errors[field] = `At most ${formatAmount(most)}, which was asked.`;
      return [position, amount] as const;
    }),
  );
  const { exceptions, problem } = readExceptions(state.text('exceptions'));
  if (problem !== undefined) errors['exceptions'] = problem;
  const isEmpty = amounts.size > 0 && [...amounts.values()].every((amount) => amount === undefined);
  if (verdict === 'approve' && isEmpty) errors['verdict'] = 'Everybody is left out: deny it instead.';
  const review = {
    id,
    verdict,
    comment: state.text('comment').slice(0, LONGEST_COMMENT),
    amounts,
    exceptions,
  } as const;
  return { review, errors: verdict === 'deny' ? onlyVerdict(errors) : errors };
}

/** Whoever denies need not mend the amounts. */
const onlyVerdict = ({ verdict }: Record<string, string>) => (verdict === undefined ? {} : { verdict });

function readExceptions(text: string): { exceptions: Map<string, number | undefined>; problem?: string } {
  const exceptions = new Map<string, number | undefined>();
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const [word = '', ...rest] = line.split(/[,;\t]/);
    const email = emailOf(word.replace(/<mailto:([^|>]+)(\|[^>]*)?>/i, '$1'));
    const typed = rest.join(',').trim();
    const amount = readAmount(typed);
    if (email === undefined) return { exceptions, problem: `“${word}” is not an e-mail.` };
    if (typed !== '' && amount === undefined) return { exceptions, problem: `“${typed}” is not an amount.` };
    exceptions.set(email, amount);
  }
  return { exceptions };
}

/** The form as the router takes it. */
export function reviewForm(
  decide: (review: Review) => (interaction: Interaction<FreshPerson>, opened: OpenModal) => Promise<void>,
): Form {
  return {
    callbackId: REVIEW_FORM,
    // Whoever may not decide is told why, which the router does not know.
    role: 'member',
    read: (state, metadata) => {
      const { review, errors } = readReview(state, metadata);
      if (Object.keys(errors).length > 0) return { kind: 'errors', errors };
      const working = review.verdict === 'deny' ? 'Denying it …' : 'Approving it and setting it on the platform …';
      return { kind: 'accepted', isRoleFresh: true, working, run: decide(review) };
    },
  };
}

/** What the reviewer changed of what stands in the store; a sentence where it does not fit it. Pure. */
export function changesOf(
  review: Review,
  people: readonly LimitPerson[],
): { lowered: Map<string, number>; leftOut: Set<string> } | { problem: string } {
  const lowered = new Map<string, number>();
  const leftOut = new Set<string>();
  const wanted = new Map<string, number | undefined>(review.exceptions);
  for (const { position, email } of people) {
    if (review.amounts.has(position)) wanted.set(email, review.amounts.get(position));
  }
  const asked = new Map(people.map((person) => [person.email, person]));
  for (const [email, amount] of wanted) {
    const person = asked.get(email);
    if (!person) return { problem: `${email} is not in this request.` };
    if (amount === undefined) leftOut.add(email);
    else if (amount > person.to_value)
      return { problem: `${nameOf(person).text}: at most ${formatAmount(person.to_value)}, which was asked.` };
    else if (amount < person.to_value) lowered.set(email, amount);
  }
  return { lowered, leftOut };
}
