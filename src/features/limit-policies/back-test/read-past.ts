import { readApproverRules } from '../../limits/approvers/approver-rules.ts';
import { readPeopleByDay } from '../../../core/analytics/amounts.ts';
import { notBeforeFirstDay } from '../../../core/analytics/period.ts';
import { dayOf, instantsOf, plusDays, type Day, type Period } from '../../../core/base/time/calendar.ts';
import { limitPeriodAround, monthOf, type LimitPeriod } from '../../../core/base/time/limit-period-days.ts';
import { HOUR_MS } from '../../../core/base/time/durations.ts';
import { readLimitPeriod } from '../../../core/figures/limit-period.ts';
import type { KnownLimit } from '../../../core/figures/known-limit.ts';
import { jsonColumn } from '../../../core/store/json-column.ts';
import { limitsOf } from '../../limits/core/ledger.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import { emailsOfActor, isActor, type Actor } from '../../limits/core/access.ts';
import { readAdmins } from '../../limits/rights/deciders.ts';
import type { DefaultRules, PolicySubject } from '../rules/policy-rules.ts';
import { firstSeenIn } from '../live/first-limits.ts';
import { isMemberOf } from '../live/outside-facts.ts';
import type { StoredPolicy } from '../store/policy-store.ts';
import { backTestOf, backTestSchema, worstCaseOf, type BackTest } from './back-test.ts';
import { replay, type AdminDecision, type PastCase } from './replay.ts';

type ClosedMonths = readonly [Period, Period, Period];
const NOON = 'T12:00:00.000Z';
/** A person counts as new if they used nothing in as many days before. */
const DAYS_BEFORE = 60;

export const backTestColumn = jsonColumn(backTestSchema);

/** Replays a version over the last three closed months. Reads the figures and the groups of today. */
export async function runBackTest(
  deps: PolicyDeps,
  policy: StoredPolicy,
): Promise<{ kind: 'tested'; backTest: BackTest } | { kind: 'unreadable' }> {
  const period = await readLimitPeriod(deps);
  const closed = closedMonths(dayOf(deps.clock.now()), period);
  const months = { first: closed[0].first, last: closed[2].last };
  const [seen, teams, admins] = await Promise.all([readSeen(deps, months), deps.people.teams(), readAdmins(deps)]);
  if (!seen) return { kind: 'unreadable' };
  const groupsOf = (emails: readonly string[], slackId: string | undefined) =>
    teams
      .filter((team) => isMemberOf(team, { emails, slackIds: slackId === undefined ? [] : [slackId] }))
      .map(({ id }) => id);
  const isAdmin = (email: string, slackId: string | undefined) =>
    admins.some((admin) => isActor({ email, slackId }, admin));
  const people = createPeople(deps);
  const complete = async ({ email, slackId, ...past }: KnownCase): Promise<PastCase> => {
    const emails = await people.emailsOf(email);
    const groups = groupsOf(emails, slackId);
    return { ...past, email, emails, slackId, isAdmin: isAdmin(email, slackId), groups };
  };
  const emails = await emailsOfSubject(deps, policy.rules.subject, seen);
  const cases =
    policy.rules.kind === 'default'
      ? await firstLimitCases(deps, policy.rules, emails, seen, closed)
      : await requestCases(deps, months);
  const replayed = replay(await Promise.all(cases.map((one) => complete(one))), policy, {
    timeZone: deps.config.timeZone,
    period,
    secondAbove: (await readApproverRules(deps.db))?.secondAbove,
  });
  const worst = worstCaseOf(policy.rules, await readPossibleGrants(deps, emails, admins), period);
  return { kind: 'tested', backTest: backTestOf(replayed, months, worst) };
}

/** Policies decide about everybody but admins. */
async function readPossibleGrants(
  deps: PolicyDeps,
  emails: readonly string[],
  admins: readonly Actor[],
): Promise<KnownLimit[][]> {
  const people = createPeople(deps);
  // A policy also covers the other e-mails of its people.
  const all = new Set((await Promise.all(emails.map((email) => people.emailsOf(email)))).flat());
  const known = await limitsOf(deps.db, [...all]);
  const byPerson = new Map<string, KnownLimit[]>();
  for (const email of all) {
    if (admins.some((admin) => isActor({ email }, admin))) continue;
    const person = await people.personOf(email);
    byPerson.set(person, [...(byPerson.get(person) ?? []), known(email)]);
  }
  return [...byPerson.values()];
}

function createPeople({ knownEmails }: Pick<PolicyDeps, 'knownEmails'>) {
  const emailsOf = async (email: string) => emailsOfActor(await knownEmails.complete({ slackId: '', email }));
  /** One e-mail for all of the person. */
  const personOf = async (email: string) => (await emailsOf(email)).toSorted()[0] ?? email;
  return { emailsOf, personOf };
}

/** Oldest first; of limits, if they count over a month. */
function closedMonths(today: Day, period: LimitPeriod | undefined): ClosedMonths {
  const month = (offset: number) => limitPeriodAround(today, monthOf(period), offset);
  return [month(-3), month(-2), month(-1)];
}

async function readSeen({ days }: PolicyDeps, months: Period): Promise<ReadonlyMap<string, Day> | undefined> {
  const period = { first: notBeforeFirstDay(plusDays(months.first, -DAYS_BEFORE)), last: months.last };
  const read = await readPeopleByDay(days, period, { maxAgeMs: HOUR_MS });
  return read.kind === 'unreadable' ? undefined : firstSeenIn(read.people, period);
}

async function emailsOfSubject(
  { people }: PolicyDeps,
  subject: PolicySubject,
  seen: ReadonlyMap<string, Day>,
): Promise<string[]> {
  switch (subject.kind) {
    case 'everybody':
      return [...seen.keys()];
    case 'group':
      return (await people.teams()).find(({ id }) => id === subject.id)?.emails ?? [];
    case 'person': {
      const email = (await people.describe(subject.slackId))?.email;
      return email === undefined ? [] : [email];
    }
    default:
      return subject satisfies never;
  }
}

type KnownCase = Omit<PastCase, 'isAdmin' | 'groups' | 'emails'>;

/** Requests of one person each, with the limit that was known at that time. */
async function requestCases(deps: PolicyDeps, months: Period): Promise<KnownCase[]> {
  const { from, before } = instantsOf(months);
  const rows = await deps.db
    .selectFrom('limitRequests as request')
    .innerJoin('limitRequestPeople as person', 'person.requestId', 'request.id')
    .select(['request.id', 'request.createdAt', 'request.until', 'request.state', 'request.decidedAt'])
    .select(['request.finishedAt', 'request.policyId', 'request.policyName'])
    .select(['person.email', 'person.slackId', 'person.fromValue', 'person.fromDeclared'])
    .select(['person.toValue', 'person.approvedValue', 'person.setValue'])
    .where('request.kind', '=', 'ask')
    .where('person.removes', 'is', null)
    .where('request.people', '=', 1)
    .where('request.createdAt', '>=', from)
    .where('request.createdAt', '<', before)
    .orderBy('request.createdAt')
    .execute();
  const people = createPeople(deps);
  const emails = new Map(
    await Promise.all(rows.map(async ({ email }) => [email, await people.personOf(email)] as const)),
  );
  const byPerson = Map.groupBy(rows, ({ email }) => emails.get(email));
  const endOf = (row: (typeof rows)[number]) => row.finishedAt ?? row.decidedAt;
  return rows.map((row): KnownCase => {
    const own = byPerson.get(emails.get(row.email)) ?? [];
    const earlier = own.filter(({ createdAt }) => createdAt < row.createdAt);
    return {
      at: new Date(row.createdAt),
      email: row.email,
      slackId: row.slackId ?? undefined,
      amount: row.toValue,
      until: row.until === null || row.policyId !== null ? undefined : new Date(row.until),
      limit: pastLimitOf(row),
      decided: decidedLimitOf(row),
      firstSeenOn: undefined,
      requestId: row.id,
      openRequests: earlier.filter((one) => (endOf(one) ?? row.createdAt) >= row.createdAt).map(({ id }) => id),
      admins: row.policyId === null ? adminDecisionOf(row) : undefined,
    };
  });
}

/** The limit of a person before one was set here; a declaration counts as if it had always been there. */
function unsetLimitOf(limit: KnownLimit): KnownLimit {
  switch (limit.kind) {
    case 'none':
    case 'declared':
    case 'unlimited':
    case 'unclear':
      return limit;
    case 'shown':
      return limit.isWithoutOwn ? limit : { kind: 'none' };
    case 'set':
      return { kind: 'none' };
    default:
      return limit satisfies never;
  }
}

/** The request recorded its limit in effect. */
function pastLimitOf({
  fromValue,
  fromDeclared,
}: {
  fromValue: number | null;
  fromDeclared: number | null;
}): KnownLimit {
  if (fromValue !== null) return setBefore(fromValue);
  if (fromDeclared === null) return { kind: 'none' };
  return { kind: 'declared', value: fromDeclared, by: '', at: new Date(0), isForEverybody: false };
}

const setBefore = (value: number): KnownLimit => ({
  kind: 'set',
  value,
  permanent: value,
  until: undefined,
  at: new Date(0),
  requestId: '',
});

/** The limit that the request led to. One that never left, or was left out, changed nothing. */
function decidedLimitOf(row: { setValue: number | null; until: string | null }): PastCase['decided'] {
  if (row.setValue === null) return undefined;
  return { value: row.setValue, until: row.until === null ? undefined : new Date(row.until) };
}

function adminDecisionOf(row: { state: string; approvedValue: number | null; toValue: number }): AdminDecision {
  if (row.state === 'denied') return 'less';
  if (row.approvedValue === null) return undefined;
  return row.approvedValue < row.toValue ? 'less' : 'as_requested';
}

/** People of the subject, when they were first seen or at the start of each month. */
async function firstLimitCases(
  deps: PolicyDeps,
  { when, firstSeenDays }: DefaultRules,
  emails: readonly string[],
  seen: ReadonlyMap<string, Day>,
  months: ClosedMonths,
): Promise<KnownCase[]> {
  const inSlack = await deps.people.findByEmails(emails);
  const firstSet = await firstSetOf(deps, emails);
  const known = await limitsOf(deps.db, emails);
  const begin = months[0].first;
  return emails.flatMap((email): KnownCase[] => {
    const day = seen.get(email);
    const slackId = inSlack?.get(email);
    if (slackId === undefined) return [];
    const firstDay = day === undefined || day < begin ? (firstSeenDays === null ? begin : undefined) : day;
    const days =
      when === 'period_start'
        ? months.map(({ first }) => first)
        : firstDay === undefined
          ? []
          : [plusDays(firstDay, 1)];
    return days.map((one) => ({
      at: new Date(`${one}${NOON}`),
      email,
      slackId,
      amount: 0,
      until: undefined,
      limit: (firstSet.get(email) ?? '9999') < one ? setBefore(0) : unsetLimitOf(known(email)),
      firstSeenOn: day,
      requestId: undefined,
      openRequests: [],
      admins: undefined,
    }));
  });
}

async function firstSetOf({ db }: PolicyDeps, emails: readonly string[]): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map();
  const rows = await db
    .selectFrom('limitLedger')
    .select((select) => ['email', select.fn.min('setAt').as('setAt')] as const)
    .groupBy('email')
    .execute();
  return new Map(rows.map(({ email, setAt }) => [email, setAt]));
}
