import { readEmails } from '../../../core/base/text/email.ts';
import { readLimitPeriod } from '../../../core/figures/limit-period.ts';
import { monthOf, type LimitPeriod } from '../../../core/base/time/limit-period-days.ts';
import { DAY_MS } from '../../../core/base/time/durations.ts';
import { withinTime } from '../../../core/base/time/turns.ts';
import type { Names } from '../../../core/base/privacy/disclosure.ts';
import { countOf, formatRange } from '../../../core/base/text/numbers.ts';
import { usualBandOf } from '../../../core/figures/groups/usual-band.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import type { KnownLimit } from '../../../core/figures/known-limit.ts';
import { readLimitRule } from '../core/amount-rule.ts';
import { readLimitsOf } from '../core/ledger.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { emailsOfActor } from '../core/access.ts';
import { type RequestInput } from './input.ts';

/** The form shows a loading view until then. The first reading of three months takes long. */
const USE_WAIT_MS = 3_000;
const LATELY_DAYS = 90;
const MAX_ROWS = 1_000;

/** The people of a request. */
type NamedInForm = Pick<RequestInput, 'people' | 'emails'>;

/** What the form of a request shows, so that the requester need not guess. */
export interface AskFacts {
  email: string | undefined;
  limit: KnownLimit;
  /** In which limits count. */
  month: LimitPeriod;
  /** Whether they can request no own limit. */
  mayRemove: boolean;
  /** What the requester used in the last months. */
  ownUse: string | undefined;
  /** The use of each person in the form, if the requester may see people. */
  namedUse: readonly string[];
  /** The people in `namedUse`. */
  names: Names;
  /** The amounts of others, without names. */
  others: string | undefined;
}

const MAX_SHOWN = 5;
const NOBODY: NamedInForm = { people: [], emails: '' };

/** @param named the people in a form for others */
export async function readAskFacts(
  deps: LimitDeps,
  { email, seesPeople, role }: Pick<Person, 'email' | 'seesPeople' | 'role'>,
  named: NamedInForm = NOBODY,
): Promise<AskFacts> {
  const [limit, use, others, uses, period] = await Promise.all([
    email === undefined ? ({ kind: 'none' } as const) : readLimitsOf(deps, [email]).then((known) => known(email)),
    email === undefined ? undefined : readUseInTime(deps, email),
    amountsOfOthers(deps, email),
    seesPeople ? readNamedUse(deps, named) : [],
    readLimitPeriod(deps),
  ]);
  // After the reading, which may be the first one.
  const { whyNoRemoval } = await readLimitRule(deps, role);
  const shown = uses.slice(0, MAX_SHOWN);
  const restCount = uses.length - shown.length;
  return {
    email,
    limit,
    month: monthOf(period),
    mayRemove: whyNoRemoval === undefined,
    ownUse: use,
    namedUse: [
      ...shown.map(({ words }) => words),
      ...(restCount > 0 ? [`The use of ${countOf(restCount, 'more person', 'more people')} isn’t shown here.`] : []),
    ],
    names: shown.length === 0 ? 'nobody' : { what: 'limit_request', of: shown.map((one) => one.email) },
    others: othersWords(others, deps.config.minGroup),
  };
}

async function readNamedUse(deps: LimitDeps, named: NamedInForm): Promise<{ email: string; words: string }[]> {
  const inSlack = await Promise.all(named.people.map(async (id) => deps.people.describe(id)));
  const typed = readEmails(named.emails).emails.map((email) => ({ name: email, email }));
  const people = new Map(
    [...typed, ...inSlack].flatMap((one) => (one?.email === undefined ? [] : [[one.email, one.name]])),
  );
  const erased = new Set(deps.people.erasedAmong([...people.keys()]));
  const uses = [...people]
    .filter(([email]) => !erased.has(email))
    .map(async ([email, name]) => ({ email, words: await readUseInTime(deps, email, name) }));
  return (await Promise.all(uses)).flatMap(({ email, words }) => (words === undefined ? [] : [{ email, words }]));
}

async function readUseInTime(
  { readMonthlyUse, clock, log }: LimitDeps,
  email: string,
  name?: string,
): Promise<string | undefined> {
  const reading = readMonthlyUse(email, name).catch((error: unknown) => {
    log.warn({ err: error }, 'Reading the use for the form of a request failed');
    return undefined;
  });
  return withinTime(clock, USE_WAIT_MS, reading, undefined);
}

/** Returns the newest requested amount of each other person, whatever their e-mails. */
async function amountsOfOthers(
  { db, clock, knownEmails }: Pick<LimitDeps, 'db' | 'clock' | 'knownEmails'>,
  own: string | undefined,
): Promise<number[]> {
  const since = new Date(clock.now().getTime() - LATELY_DAYS * DAY_MS).toISOString();
  const rows = await db
    .selectFrom('limitRequestPeople as person')
    .innerJoin('limitRequests as request', 'request.id', 'person.requestId')
    .select(['person.email', 'person.toValue'])
    .where('request.kind', '=', 'ask')
    .where('person.removes', 'is', null)
    .where('request.createdAt', '>=', since)
    .orderBy('request.createdAt', 'desc')
    .limit(MAX_ROWS)
    .execute();
  const personOf = async (email: string) =>
    emailsOfActor(await knownEmails.complete({ slackId: '', email })).toSorted()[0] ?? email;
  const amounts = new Map<string, number>();
  for (const { email, toValue } of rows.toReversed()) amounts.set(await personOf(email), toValue);
  if (own !== undefined) amounts.delete(await personOf(own));
  return [...amounts.values()];
}

/** Exact amounts, and those of a few people, would show what single ones requested. */
function othersWords(amounts: readonly number[], minGroup: number): string | undefined {
  const band = usualBandOf(amounts, minGroup);
  if (!band) return undefined;
  const count = countOf(amounts.length, 'other person', 'other people');
  return `In the last ${LATELY_DAYS} days, ${count} requested a limit; most of them ${formatRange(band.low, band.high, '–')}.`;
}
