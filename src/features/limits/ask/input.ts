import { dayOf, instantsOf } from '../../../core/base/time/calendar.ts';
import { limitPeriodAround, startDayOf, type LimitPeriod } from '../../../core/base/time/limit-period-days.ts';
import { ordinal } from '../../../core/base/text/numbers.ts';
import { DAY_MS } from '../../../core/base/time/durations.ts';
import type { FormState } from '../../../core/slack/blocks/views.ts';
import { errorsOf } from '../../../core/slack/interactions/forms.ts';
import { readAmount } from '../../../core/base/text/amounts.ts';
import { readLimit } from '../core/amount-rule.ts';
import { readEmails } from '../../../core/base/text/email.ts';
import { MAX_LIMITS_PER_CALL } from '../../../core/platform/endpoints/limits.ts';

const ENDING_NAMES = ['none', 'month', '7d', '30d', 'other'] as const;
export type Ending = (typeof ENDING_NAMES)[number];

/** @param month in which limits count */
export function endingOptions(month: LimitPeriod): { value: Ending; text: string }[] {
  const startDay = startDayOf(month);
  const texts: Record<Ending, string> = {
    none: 'No end date',
    month:
      startDay === 1
        ? 'The end of this month (UTC)'
        : `The end of this month of limits: the ${ordinal(startDay - 1)} (UTC)`,
    '7d': '7 days from now',
    '30d': '30 days from now',
    other: 'Another day',
  };
  return ENDING_NAMES.map((value) => ({ value, text: texts[value] }));
}

export interface EndFacts {
  now: Date;
  /** In which limits count. */
  month: LimitPeriod;
}

/** Limits count in UTC days, so a month ends with its last UTC day. */
export function endOf(ending: Ending, typed: Date | undefined, { now, month }: EndFacts): Date | undefined {
  switch (ending) {
    case 'none':
      return undefined;
    case 'month':
      return new Date(instantsOf(limitPeriodAround(dayOf(now), month)).before);
    case '7d':
      return new Date(now.getTime() + 7 * DAY_MS);
    case '30d':
      return new Date(now.getTime() + 30 * DAY_MS);
    case 'other':
      return typed;
    default:
      return ending satisfies never;
  }
}

/** The input typed into the form, also used to fill it again. */
export interface RequestInput {
  /** Slack ids. */
  people: readonly string[];
  emails: string;
  amount: string;
  reason: string;
  /** How the end was chosen. */
  ending: Ending;
  until: Date | undefined;
  back: string;
}

/** The fields in display order; each fault is keyed by its field. */
export const FIELDS = ['people', 'emails', 'amount', 'reason', 'ending', 'until', 'back'] as const;
export type Field = (typeof FIELDS)[number];
export type Problems = Partial<Record<Field, string>>;

export const MAX_REASON_LENGTH = 500;
const SHORTEST_RAISE_MS = 60 * 60_000;
const MAX_RAISE_MS = 366 * DAY_MS;

/** Finds the faults that need no other data. @param isForOthers whether the form has fields for other people */
export function readInput(
  state: FormState,
  { isForOthers, month = 'month' }: { isForOthers: boolean; month?: LimitPeriod | undefined },
  now: Date,
): { input: RequestInput; problems: Problems } {
  const ending = ENDING_NAMES.find((name) => name === state.option('ending')) ?? 'none';
  const until = endOf(ending, state.dateTime('until'), { now, month });
  const input: RequestInput = {
    people: isForOthers ? state.users('people') : [],
    emails: isForOthers ? state.text('emails') : '',
    amount: state.text('amount'),
    reason: state.text('reason'),
    ending,
    until,
    back: until === undefined ? '' : state.text('back'),
  };
  return { input, problems: problemsOf(input, isForOthers, now) };
}

function problemsOf(input: RequestInput, isForOthers: boolean, now: Date): Problems {
  const { emails, wrong } = readEmails(input.emails);
  const endField = input.ending === 'other' ? 'until' : 'ending';
  const untilMs = input.until === undefined ? undefined : input.until.getTime() - now.getTime();
  const { amount: returnTo, problem: returnProblem } = readAmount(input.back);
  const { amount, removes, problem } = readLimit(input.amount);
  const count = input.people.length + emails.length;
  return errorsOf([
    [isForOthers && count === 0 && wrong.length === 0, 'people', 'Choose people, or type e-mails below.'],
    [count > MAX_LIMITS_PER_CALL, 'people', 'For more than 100 people use /limits import.'],
    [wrong.length > 0, 'emails', `“${wrong[0] ?? ''}” is not an e-mail. Separate them by commas, spaces or new lines.`],
    [problem, 'amount'],
    [input.reason === '', 'reason', 'Say why: it’s the first thing that admins read.'],
    [input.reason.length > MAX_REASON_LENGTH, 'reason', `Say it in at most ${MAX_REASON_LENGTH} characters.`],
    [input.ending === 'other' && untilMs === undefined, 'until', 'Choose a date.'],
    [untilMs !== undefined && untilMs < SHORTEST_RAISE_MS, endField, 'Choose an end at least an hour from now.'],
    [untilMs !== undefined && untilMs > MAX_RAISE_MS, endField, 'Choose an end within a year, or none.'],
    [removes === true && input.until !== undefined, endField, 'Only a raise has an end. Choose no end date.'],
    [input.back === '' ? undefined : returnProblem, 'back'],
    [
      returnTo !== undefined && amount !== undefined && returnTo >= amount,
      'back',
      'Choose less than the new limit, or clear this.',
    ],
  ]);
}
