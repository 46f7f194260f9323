import { z } from 'zod';
import type { FormState } from '../../../core/slack/blocks/views.ts';
import { formatAmount, readAmount } from '../../../core/base/text/amounts.ts';
import { readEmail } from '../../../core/base/text/email.ts';
import type { ReviewedPeople } from '../core/reviewed-people.ts';
import { highestAmount } from '../approvers/second-approval.ts';
import { NO_OWN_LIMIT, readLimit } from '../core/amount-rule.ts';
import type { LimitPerson } from '../core/limit-tables.ts';

/** Up to this many people have their own field; beyond that, exceptions are typed. */
export const MAX_FIELDS = 20;
export const MAX_COMMENT_LENGTH = 500;

export const amountId = (position: number) => `amount_${position}`;
export const backId = (position: number) => `back_${position}`;
export const HIGHEST_RETURN = 'highest_return';
/** The checkbox by which the only admin confirms that no other admin checks their request. */
export const CONFIRMATION = 'decided_alone';

const metadataSchema = z.object({
  id: z.string().max(100),
  /** The people with a field and their requested amounts; the store is read again before use. */
  fields: z
    .array(
      z.object({
        at: z.int().nonnegative(),
        asked: z.number(),
        back: z.number().nullable(),
        removes: z.boolean().default(false),
      }),
    )
    .max(MAX_FIELDS),
  needsConfirmation: z.boolean().default(false),
  isSecond: z.boolean().default(false),
  seen: z.string().max(100).optional(),
});

export interface Review {
  id: string;
  comment: string;
  isConfirmed: boolean;
  /** The form showed the first approval. */
  isSecond: boolean;
  /** Identifies the limits in force that it showed; undefined if the platform shows none. */
  seen: string | undefined;
  /** By position: the amount, or undefined for a person who is left out. */
  amounts: ReadonlyMap<number, number | undefined>;
  /** By position: the limit to return to. */
  returns: ReadonlyMap<number, number>;
  /** Without fields: the upper bound for every limit to return to. */
  highestReturn: number | undefined;
  /** Without fields: amounts by e-mail. */
  exceptions: ReadonlyMap<string, number | undefined>;
}

const REQUESTED_AMOUNT = 'the requested amount';
const REMOVAL_OR_NOTHING = `Keep “${NO_OWN_LIMIT}”, or clear the field to leave this person out.`;
const FIRST_AMOUNT = 'the amount of the first approval';

export function readReview(state: FormState, metadata: string): { review: Review; errors: Record<string, string> } {
  const { id, fields, needsConfirmation, isSecond, seen } = metadataSchema.parse(JSON.parse(metadata));
  const errors: Record<string, string> = {};
  const read = (field: string, most: number | null, rule: string) => {
    const typed = state.text(field);
    const { amount, problem } = readAmount(typed);
    if (typed !== '' && problem !== undefined) errors[field] = problem;
    if (amount !== undefined && most !== null && amount > most)
      errors[field] = `At most ${formatAmount(most)}, ${rule}.`;
    return amount;
  };
  const readRemoval = (field: string) => {
    const typed = state.text(field);
    if (typed !== '' && readLimit(typed).removes !== true) errors[field] = REMOVAL_OR_NOTHING;
    return typed === '' ? undefined : 0;
  };
  const amounts = new Map(
    fields.map(
      ({ at, asked: requested, removes }) =>
        [
          at,
          removes
            ? readRemoval(amountId(at))
            : read(amountId(at), requested, isSecond ? FIRST_AMOUNT : REQUESTED_AMOUNT),
        ] as const,
    ),
  );
  const returns = fields.flatMap(({ at, back: returnTo }) => {
    const value = returnTo === null ? undefined : read(backId(at), returnTo, 'as shown');
    return value === undefined ? [] : [[at, value] as const];
  });
  const highestReturn = read(HIGHEST_RETURN, null, '');
  const { exceptions, problem } = readExceptions(state.text('exceptions'));
  if (problem !== undefined) errors['exceptions'] = problem;
  // An amount that can’t be read leaves nobody out: its field says what to type.
  const isEmpty = [...amounts].every(([at, amount]) => amount === undefined && errors[amountId(at)] === undefined);
  const comment = state.text('comment').slice(0, MAX_COMMENT_LENGTH);
  const [first] = fields;
  const isConfirmed = state.options(CONFIRMATION).length > 0;
  if (needsConfirmation && !isConfirmed) errors[CONFIRMATION] = 'Confirm it, or let another admin decide.';
  if (isEmpty && first) errors[amountId(first.at)] = 'This leaves no one to approve. Press Deny instead.';
  return {
    review: { id, comment, isConfirmed, isSecond, seen, amounts, returns: new Map(returns), highestReturn, exceptions },
    errors,
  };
}

function readExceptions(text: string): { exceptions: Map<string, number | undefined>; problem?: string } {
  const exceptions = new Map<string, number | undefined>();
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const at = line.search(/[,;\t]/);
    const [word, amountText] = at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
    const email = readEmail(word);
    const typed = amountText.trim();
    const { amount, problem } = readAmount(typed);
    if (email === undefined) return { exceptions, problem: `“${word}” is not an e-mail.` };
    if (typed !== '' && problem !== undefined) return { exceptions, problem: `For ${email}: ${problem}` };
    exceptions.set(email, amount);
  }
  return { exceptions };
}

/** Returns the reviewer’s changes to the stored request, or a sentence if they do not fit it. Pure. */
export function changesOf(review: Review, people: readonly LimitPerson[]): ReviewedPeople | { problem: string } {
  const lowered = new Map<string, number>();
  const leftOut = new Set<string>();
  const returns = new Map<string, number>();
  const amountsByEmail = new Map<string, number | undefined>(review.exceptions);
  for (const { position, email, returnValue: storedReturn } of people) {
    if (review.amounts.has(position)) amountsByEmail.set(email, review.amounts.get(position));
    const returnTo = review.returns.get(position);
    if (returnTo !== undefined && storedReturn !== null && returnTo < storedReturn) returns.set(email, returnTo);
  }
  const peopleByEmail = new Map(people.map((person) => [person.email, person]));
  for (const [email, amount] of amountsByEmail) {
    const person = peopleByEmail.get(email);
    if (!person) return { problem: `${email} is not in this request.` };
    const most = review.isSecond ? highestAmount(person) : person.toValue;
    if (amount === undefined) leftOut.add(email);
    else if (person.removes === 1 && review.exceptions.has(email))
      return { problem: `${email}: leave them out, or keep the removal of their own limit.` };
    else if (amount > most)
      return {
        problem: `${email}: at most ${formatAmount(most)}, ${review.isSecond ? FIRST_AMOUNT : REQUESTED_AMOUNT}.`,
      };
    else if (amount < most) lowered.set(email, amount);
  }
  return { lowered, leftOut, returns, highestReturn: review.highestReturn };
}
