import type { Person } from '../slack/people.ts';
import { joinMarkup, markup, mention, type Markup } from '../slack/text.ts';
import { formatAmount, readAmount } from './amounts.ts';
import { knownValues, openElsewhere, type OpenElsewhere } from './ledger.ts';
import type { LedgerEntry } from './limit-tables.ts';
import type { LimitParts } from './parts.ts';
import type { NewPerson } from './requests.ts';
import { peopleOf as peopleOfRequest } from './requests.ts';
import { emailsIn, type Problems, type Wish } from './wish.ts';

/** Somebody for whom a limit is wished, as far as anybody knows them. */
interface Named {
  email: string;
  slackId: string | undefined;
}

/** What is known about a wish beyond what was typed. */
export interface WishFacts {
  people: readonly Named[];
  /** Whether Slack said whom it knows. */
  isSlackRead: boolean;
  /** Named more than once, by e-mail. */
  twice: readonly string[];
  /** Slack ids of those of whom Slack shows no e-mail. */
  withoutEmail: readonly string[];
  known: ReadonlyMap<string, LedgerEntry>;
  open: readonly OpenElsewhere[];
  /** Of the request that is extended: what each value was to go back to. */
  backBefore: ReadonlyMap<string, number>;
}

/** Reads what is known about a wish. Without people in it, it is the person’s own. */
export async function readWishFacts(
  parts: LimitParts,
  wish: Wish,
  person: Person,
  extended: string | undefined,
): Promise<WishFacts> {
  const { emails } = emailsIn(wish.emails);
  const isOwn = wish.people.length === 0 && emails.length === 0;
  const ids = isOwn ? [person.slackId] : wish.people;
  const described = await Promise.all(ids.map(async (id) => ({ id, email: (await parts.people.describe(id))?.email })));
  const inSlack = await parts.people.findByEmails(emails);
  const all: Named[] = [
    ...described.flatMap(({ id, email }) => (email === undefined ? [] : [{ email, slackId: id }])),
    ...emails.map((email) => ({ email, slackId: inSlack?.get(email) })),
  ];
  const people = [...new Map(all.toReversed().map((one) => [one.email, one])).values()].toReversed();
  const names = people.map(({ email }) => email);
  const [known, open, before] = await Promise.all([
    knownValues(parts.db, names),
    openElsewhere(parts.db, names),
    extended === undefined ? [] : peopleOfRequest(parts.db, extended),
  ]);
  return {
    people,
    isSlackRead: inSlack !== undefined,
    twice: names.filter((email) => all.filter((one) => one.email === email).length > 1),
    withoutEmail: described.flatMap(({ id, email }) => (email === undefined ? [id] : [])),
    known,
    open,
    backBefore: new Map(before.flatMap(({ email, return_value: value }) => (value === null ? [] : [[email, value]]))),
  };
}

/** What a wish comes to: what is wrong with it, what is worth a second look, and who gets what. */
export interface Judged {
  problems: Problems;
  warnings: Markup[];
  people: NewPerson[];
}

/** Judges a wish by what is known. Pure. */
export function judgeWish(wish: Wish, facts: WishFacts): Judged {
  const amount = readAmount(wish.amount) ?? 0;
  const typedBack = readAmount(wish.back);
  const people = facts.people.map(({ email, slackId }): NewPerson => {
    const from = facts.known.get(email)?.value;
    const returnTo = wish.until === undefined ? undefined : (typedBack ?? facts.backBefore.get(email) ?? from);
    return { email, slackId, from, to: amount, returnTo };
  });
  return { problems: problemsOf(wish, facts, people, amount), warnings: warningsOf(facts, people, amount), people };
}

function problemsOf(wish: Wish, facts: WishFacts, people: readonly NewPerson[], amount: number): Problems {
  const problems: Problems = {};
  if (facts.withoutEmail.length > 0)
    problems.people =
      'Slack shows no e-mail of some of them, and the platform knows people by e-mail. Type their e-mails below.';
  const nowhere = people.filter(({ returnTo }) => wish.until !== undefined && returnTo === undefined);
  if (nowhere.length > 0)
    problems.back = `Type the value to go back to: what the limit of ${nowhere
      .map(({ email }) => email)
      .slice(0, 3)
      .join(', ')} is now is not known to this bot.`;
  if (people.length > 0 && people.every(({ from }) => from === amount) && wish.until === undefined)
    problems.amount = `${formatAmount(amount)} is what this bot set last, so nothing would change.`;
  return problems;
}

function warningsOf(facts: WishFacts, people: readonly NewPerson[], amount: number): Markup[] {
  const same = people.filter(({ from }) => from === amount);
  const unknown = people.filter(({ slackId }) => slackId === undefined);
  return [
    ...(facts.twice.length > 0 ? [markup`Named twice, asked for once: ${listed(facts.twice)}.`] : []),
    ...(same.length > 0
      ? [markup`${formatAmount(amount)} is what this bot set last for ${listed(same.map(({ email }) => email))}.`]
      : []),
    ...(facts.isSlackRead && unknown.length > 0
      ? [markup`Not in Slack, so they are not told: ${listed(unknown.map(({ email }) => email))}. Check the spelling.`]
      : []),
    ...facts.open
      .slice(0, MOST_LISTED)
      .map(
        ({ email, request_id: id, requester, to_value: value }) =>
          markup`${email} is in another open request: \`${id}\` by ${mention(requester)}, for ${formatAmount(value)}. What is decided later wins.`,
      ),
  ];
}

const MOST_LISTED = 5;

function listed(emails: readonly string[]): Markup {
  const shown = joinMarkup(
    emails.slice(0, MOST_LISTED).map((email) => markup`${email}`),
    ', ',
  );
  const rest = emails.length - MOST_LISTED;
  return rest > 0 ? markup`${shown} and ${rest} more` : shown;
}
