import { readEmails } from '../../../core/base/text/email.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { listMarkup, markup, mention, type Markup } from '../../../core/base/text/markup.ts';
import { formatAmount, readAmount } from '../../../core/base/text/amounts.ts';
import { amountOf, permanentAmountOf, type KnownLimit } from '../../../core/figures/known-limit.ts';
import { type OpenElsewhere, emailsOf, openElsewhere, readLimitsOf } from '../core/ledger.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { requestedWords, shownBefore } from '../core/person-text.ts';
import type { NewPerson } from '../core/requests.ts';
import { amountProblem, limitProblem, readLimit, readLimitRule, type LimitRule } from '../core/amount-rule.ts';
import { readLimitForEverybody } from '../core/own-limit-removal.ts';
import { shownOfText } from '../../../core/platform/capabilities/shown-limit.ts';
import { returnOf } from '../decide/return-limits.ts';
import { type Problems, type RequestInput } from './input.ts';

interface NamedPerson {
  email: string;
  slackId?: string | undefined;
}

export interface InputFacts {
  people: readonly NamedPerson[];
  /** Whether Slack could say which people it knows. */
  isSlackRead: boolean;
  /** E-mails named more than once. */
  twice: readonly string[];
  /** Slack ids of people whose e-mail Slack does not show. */
  withoutEmail: readonly string[];
  /** The e-mails of people whose data was erased. */
  erased: readonly string[];
  limitOf: (email: string) => KnownLimit;
  open: readonly OpenElsewhere[];
  rule: LimitRule;
  /** The limit in effect for people without one of their own; infinite if there is none. */
  everybody: number;
}

/** Reads the facts about a request. If it names no people, it is for the requester. */
export async function readInputFacts(deps: LimitDeps, input: RequestInput, person: Person): Promise<InputFacts> {
  const { emails } = readEmails(input.emails);
  const isOwn = input.people.length === 0 && emails.length === 0;
  const ids = isOwn ? [person.slackId] : input.people;
  const described = await Promise.all(ids.map(async (id) => ({ id, email: (await deps.people.describe(id))?.email })));
  const inSlack = await deps.people.findByEmails(emails);
  const all: NamedPerson[] = [
    ...described.flatMap(({ id, email }) => (email === undefined ? [] : [{ email, slackId: id }])),
    ...emails.map((email) => ({ email, slackId: inSlack?.get(email) })),
  ];
  const people = [...new Map(all.toReversed().map((one) => [one.email, one])).values()].toReversed();
  const names = emailsOf(people);
  const [known, open] = await Promise.all([readLimitsOf(deps, names), openElsewhere(deps.db, names)]);
  // After the reading, which may be the first one.
  const rule = await readLimitRule(deps, person.role);
  return {
    people,
    isSlackRead: inSlack !== undefined,
    twice: names.filter((email) => all.filter((one) => one.email === email).length > 1),
    withoutEmail: described.flatMap(({ id, email }) => (email === undefined ? [id] : [])),
    erased: deps.people.erasedAmong(names),
    limitOf: known,
    open,
    rule,
    everybody: await readLimitForEverybody(deps.db),
  };
}

export interface ValidatedRequest {
  problems: Problems;
  warnings: Markup[];
  people: NewPerson[];
}

export function validateInput(input: RequestInput, facts: InputFacts): ValidatedRequest {
  const { amount = 0, removes = false } = readLimit(input.amount);
  const { amount: typed } = readAmount(input.back);
  const people = facts.people.map(({ email, slackId }): NewPerson => {
    const limit = facts.limitOf(email);
    const returnTo = input.until === undefined ? undefined : returnOf({ limit, typed, amount });
    const returnsToNone = returnTo !== undefined && limit.kind === 'shown' && limit.isWithoutOwn && returnTo < amount;
    return {
      email,
      slackId,
      ...beforeOf(limit),
      to: amount,
      returnTo,
      ...(returnsToNone ? { returnsToNone } : {}),
      ...(removes ? { removes } : {}),
    };
  });
  const newLimit = { amount, removes };
  return {
    problems: problemsOf(input, facts, people, newLimit),
    warnings: warningsOf(facts, people, newLimit),
    people,
  };
}

/** What a request records of the limit before it. */
export function beforeOf(limit: KnownLimit): Pick<NewPerson, 'from' | 'declared' | 'shown'> {
  switch (limit.kind) {
    case 'none':
      return {};
    case 'declared':
      return { declared: limit.value };
    case 'set':
      return { from: limit.value };
    case 'shown':
      return { from: limit.value, shown: shownBefore(limit) };
    case 'unlimited':
    case 'unclear':
      return { shown: shownBefore(limit) };
    default:
      return limit satisfies never;
  }
}

interface NewLimit {
  amount: number;
  removes: boolean;
}

function problemsOf(
  input: RequestInput,
  facts: InputFacts,
  people: readonly NewPerson[],
  newLimit: NewLimit,
): Problems {
  const { amount } = newLimit;
  const problems: Problems = {};
  if (facts.withoutEmail.length > 0)
    problems.people =
      'Slack shows no e-mail for some of them, and the platform knows people by e-mail. Type their e-mails below.';
  const amountFault = limitProblem(facts.rule, newLimit);
  if (amountFault !== undefined) problems.amount = amountFault;
  const backFault = input.back === '' ? undefined : amountProblem(facts.rule, readAmount(input.back).amount);
  if (backFault !== undefined) problems.back = backFault;
  if (facts.erased.length > 0) problems.emails = `${erasedSentence(facts.erased)} Take them out of the list.`;
  if (input.until !== undefined) Object.assign(problems, endProblems(input, facts, people, amount));
  if (amountFault === undefined && people.length > 0 && people.every((one) => isSame(one)) && input.until === undefined)
    problems.amount = `${sameWords(newLimit, people)}, so nothing would change.`;
  return problems;
}

/** An own limit that equals the one for everybody would still be a change: it stays if that one changes. */
function isSame({ from, shown, to, removes }: NewPerson): boolean {
  const kind = shown === undefined ? undefined : shownOfText(shown).kind;
  if (removes) return kind === 'everybody' || kind === 'unlimited';
  return from === to && (kind === undefined || kind === 'own');
}

const sameWords = ({ amount, removes }: NewLimit, people: readonly NewPerson[]) =>
  removes ? 'The platform shows no limit of their own' : `${formatAmount(amount)} is ${sourceWords(people)}`;

const sourceWords = (people: readonly NewPerson[]) =>
  people.every(({ shown }) => shown !== undefined) ? 'the limit that the platform shows' : 'the last limit set here';

/** Returns objections to an end date. An end needs a lower limit to return to; the ledger decides it if it can. */
function endProblems(input: RequestInput, facts: InputFacts, people: readonly NewPerson[], amount: number): Problems {
  const unknown = people.filter(({ returnTo }) => returnTo === undefined).map(({ email }) => email);
  const permanentLimits = people.flatMap(({ email }) => permanentAmountOf(facts.limitOf(email)) ?? []);
  const isKnown = people.length > 0 && permanentLimits.length === people.length;
  if (unknown.length > 0)
    return { back: `Enter the limit to return to. Quartermaster doesn’t know the current one of ${namesOf(unknown)}.` };
  if (isKnown && input.back !== '')
    return { back: 'Clear this: Quartermaster knows the limit to return to, and shows it in the review.' };
  if (isKnown && permanentLimits.every((value) => value >= amount))
    return { until: `Only a raise has an end, and ${formatAmount(amount)} is not above ${sourceWords(people)}.` };
  return {};
}

export const erasedSentence = (emails: readonly string[]) =>
  `Nothing is kept of ${namesOf(emails)}, whose data was erased here.`;

const namesOf = (emails: readonly string[]) => emails.slice(0, 3).join(', ');

function warningsOf(facts: InputFacts, people: readonly NewPerson[], newLimit: NewLimit): Markup[] {
  const { amount, removes } = newLimit;
  const after = removes ? facts.everybody : amount;
  const same = people.filter((one) => isSame(one));
  const lower = people.filter((one) => {
    const limit = facts.limitOf(one.email);
    return !(removes && isSame(one)) && (limit.kind === 'unlimited' ? Infinity : (amountOf(limit) ?? 0)) > after;
  });
  const unknown = people.filter(({ slackId }) => slackId === undefined);
  const names = (some: readonly NewPerson[]) => listed(some.map(({ email }) => email));
  return [
    ...(facts.twice.length > 0 ? [markup`Named twice, requested once: ${listed(facts.twice)}.`] : []),
    ...(amount === 0 && !removes ? [markup`⚠️ A limit of 0 stops the work of ${names(people)}.`] : []),
    ...(same.length > 0
      ? [markup`${sameWords(newLimit, same)}${removes ? markup`: ` : markup` for `}${names(same)}.`]
      : []),
    ...(lower.length > 0 ? [markup`⚠️ This lowers the limit of ${names(lower)}.`] : []),
    ...(facts.isSlackRead && unknown.length > 0
      ? [markup`Not in Slack, so they won’t be notified: ${names(unknown)}. Check the spelling.`]
      : []),
    ...facts.open
      .slice(0, MAX_LISTED)
      .map(
        (open) =>
          markup`${open.email} is in another open request: \`${open.requestId}\` by ${mention(open.requester)}, for ${requestedWords(open)}. What is decided later wins.`,
      ),
  ];
}

const MAX_LISTED = 5;

const listed = (emails: readonly string[]): Markup =>
  listMarkup(
    emails.map((email) => markup`${email}`),
    MAX_LISTED,
  );
