import { DAY_MS } from '../../base/time/durations.ts';
import { readReference } from '../../slack/commands/command-words.ts';
import type { FormState } from '../../slack/blocks/views.ts';
import { errorsOf } from '../../slack/forms.ts';
import { AMOUNT_RULE, readAmount } from '../../base/text/amounts.ts';
import { MAX_LIMITS_PER_CALL } from '../../platform/endpoints/limits.ts';

/** The input typed into the form, also used to fill it again. */
export interface RequestInput {
  /** Slack ids. */
  people: readonly string[];
  emails: string;
  amount: string;
  reason: string;
  until: Date | undefined;
  back: string;
}

/** The fields in display order; each fault is keyed by its field. */
export const FIELDS = ['people', 'emails', 'amount', 'reason', 'until', 'back'] as const;
export type Field = (typeof FIELDS)[number];
export type Problems = Partial<Record<Field, string>>;

export const MAX_REASON_LENGTH = 500;
const SHORTEST_RAISE_MS = 60 * 60_000;
const MAX_RAISE_MS = 366 * DAY_MS;

/** Finds the faults that need no other data. @param isForOthers whether the form has fields for other people */
export function readInput(
  state: FormState,
  isForOthers: boolean,
  now: Date,
): { input: RequestInput; problems: Problems } {
  const input: RequestInput = {
    people: isForOthers ? state.users('people') : [],
    emails: isForOthers ? state.text('emails') : '',
    amount: state.text('amount'),
    reason: state.text('reason'),
    until: state.dateTime('until'),
    back: state.text('back'),
  };
  return { input, problems: problemsOf(input, isForOthers, now) };
}

/** Reads several e-mails, separated as people type them. @example emailsIn('a@b.example, c@d.example') */
export function emailsIn(text: string): { emails: string[]; wrong: string[] } {
  const words = text
    .replaceAll(/<mailto:([^<|>]+)(\|[^<>]*)?>/gi, '$1')
    .split(/[\s,;]+/)
    .filter((word) => word !== '');
  const read = words.map((word) => ({ word, email: emailOf(word) }));
  return {
    emails: read.flatMap(({ email }) => email ?? []),
    wrong: read.flatMap(({ word, email }) => (email === undefined ? [word] : [])),
  };
}

/** The platform accepts e-mails of at most 320 characters. */
const MAX_EMAIL_LENGTH = 320;

export function emailOf(word: string): string | undefined {
  const reference = readReference(word.trim());
  return reference?.kind === 'email' && reference.email.length <= MAX_EMAIL_LENGTH ? reference.email : undefined;
}

function problemsOf(input: RequestInput, isForOthers: boolean, now: Date): Problems {
  const { emails, wrong } = emailsIn(input.emails);
  const untilMs = input.until === undefined ? undefined : input.until.getTime() - now.getTime();
  const returnTo = readAmount(input.back);
  const amount = readAmount(input.amount);
  const count = input.people.length + emails.length;
  return errorsOf([
    [isForOthers && count === 0 && wrong.length === 0, 'people', 'Choose people, or type e-mails below.'],
    [count > MAX_LIMITS_PER_CALL, 'people', 'For more than 100 people use /limits import.'],
    [wrong.length > 0, 'emails', `“${wrong[0] ?? ''}” is not an e-mail. Separate them by commas, spaces or new lines.`],
    [amount === undefined, 'amount', AMOUNT_RULE],
    [input.reason === '', 'reason', 'Say why: it’s the first thing that admins read.'],
    [input.reason.length > MAX_REASON_LENGTH, 'reason', `Say it in at most ${MAX_REASON_LENGTH} characters.`],
    [untilMs !== undefined && untilMs < SHORTEST_RAISE_MS, 'until', 'Choose an end at least an hour from now.'],
    [untilMs !== undefined && untilMs > MAX_RAISE_MS, 'until', 'Choose an end within a year, or none.'],
    [input.back !== '' && input.until === undefined, 'back', 'Choose an end date, or clear this.'],
    [input.back !== '' && returnTo === undefined, 'back', AMOUNT_RULE],
    [
      returnTo !== undefined && amount !== undefined && returnTo >= amount,
      'back',
      'Choose less than the new limit, or clear this.',
    ],
  ]);
}
