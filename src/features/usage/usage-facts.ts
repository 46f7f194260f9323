import type { ReadTotals } from '../../core/analytics/reading/doubtful-days.ts';
import { shownToReaders } from '../../core/figures/groups/gate.ts';
import { inTurns, inOwnTurn } from '../../core/base/time/turns.ts';
import type { DailyCreditsRow, DaysOptions, OrganizationFacts, Part } from '../../core/analytics/day-facts.ts';
import { createIdentities, mostCreditsFirst, type Identity } from '../../core/analytics/person-credits.ts';
import { plusDays, type Period } from '../../core/base/time/calendar.ts';
import type { KnownPeople } from '../../core/figures/measures/inactive.ts';
import { findUnusedSeats, type Seats } from '../../core/figures/measures/seats.ts';
import type { TimelineEvent } from '../../core/feature.ts';
import type { ActivityRow } from '../../core/platform/endpoints/analytics-rows.ts';
import type { Audience } from '../../core/slack/people/audience.ts';
import type { UsageDeps } from './usage-deps.ts';
import type { Team } from './reports/summary-report.ts';
import { historyOf, spanOf } from '../../core/analytics/period.ts';
import { type PriceList, readPriceList } from '../../core/figures/money/price-list.ts';
import { dayOfPrice } from '../../core/figures/measures/breakdown.ts';
import type { ReportScope } from '../../core/figures/measures/figures.ts';
import type { GroupFacts } from './reports/group-report.ts';
import { createPeopleFold } from '../../core/figures/measures/people-fold.ts';
import { allowTeamDetails, type TeamDetails } from '../teams/team-details.ts';
import type { ChosenTeam } from '../teams/teams-report.ts';
import { readOfferedTeams } from '../../core/figures/groups/chosen-teams.ts';
import { createPeopleSpendFold } from '../../core/figures/measures/people-spend.ts';

/** All facts that reports are made of. Each is read with the smallest calls that contain it. */
export interface Facts extends OrganizationFacts {
  /** The daily sums that the usual ranges and the forecast are based on. */
  history: Part<DailyCreditsRow>;
  /** The credits of each day alone: an answer without people. */
  sums: Part<DailyCreditsRow>;
  /** The credits of each person in both periods. */
  spend: GroupFacts['spend'];
  /** The same, for readers with the right to see names. */
  namedSpend: GroupFacts['spend'] | undefined;
  /** The reader’s own credits, if a single person reads. */
  ownSpend: GroupFacts['spend'] | undefined;
  totals: GroupFacts['totals'];
  /** The people known from earlier days or a credit limit, for readers who may see who was not active. */
  known: KnownPeople | undefined;
  /** The seats of the platform, for the same readers, if it lists them. */
  seats: Seats | undefined;
  teams: Team[];
  chosenTeams: ChosenTeam[];
  /** How much of each team may be shown; undefined for readers who may see every person. */
  teamDetails: TeamDetails | undefined;
  prices: PriceList;
  /** Timeline events, if the query is explained. */
  timeline: TimelineEvent[];
}

export type Series = keyof Facts;

export interface FactsQuery {
  scope: ReportScope;
  range: Period;
  readers: Audience;
  /** Selects people by e-mail in lower case; undefined: the whole organization. */
  emails?: readonly string[] | undefined;
  /** Whether to include timeline events: for managers, and for answers that they share. */
  isExplained: boolean;
  /** Progress is reported for the slowest reading only. */
  options: DaysOptions;
  activity?: Part<ActivityRow>;
}

type Query = Omit<FactsQuery, 'activity'> & {
  activity: Promise<Part<ActivityRow>>;
  credits: ReadTotals | undefined;
  /** Reads the prices once for all facts of an answer. */
  readPrices: () => Promise<PriceList>;
};

const READERS: { [Name in Series]: (deps: UsageDeps, query: Query) => Promise<Facts[Name]> } = {
  activity: (_deps, { activity }) => activity,
  credits: ({ days }, { range, options, credits }) => credits?.part ?? days.credits(range, options),
  history: ({ days }, { scope, options, credits: totals }) =>
    days.dailyCredits(historyOf(scope), { ...options, totals }),
  sums: ({ days }, { range, options }) => days.dailyCredits(range, options),
  tools: ({ days }, { range, options }) => days.tools(range, options),
  productivity: ({ days }, { range, options }) => days.productivity(range, options),
  spend: (deps, query) => readSpend(deps, query, query.emails),
  namedSpend: async (deps, query) => (query.readers.naming && isKept(deps, query) ? readSpend(deps, query) : undefined),
  ownSpend: async (deps, query) => {
    const { readers } = query;
    const email = readers.kind === 'person' ? readers.email : undefined;
    return email === undefined || !isKept(deps, query) ? undefined : readSpend(deps, query, [email]);
  },
  totals: readTotals,
  known: readKnownPeople,
  seats: readSeats,
  teams: async ({ people }, { readers }) =>
    readers.naming ? (await people.teams()).map(({ handle, emails }) => ({ label: `@${handle}`, emails })) : [],
  chosenTeams: readChosenTeams,
  teamDetails: async (deps, { readers, scope }) =>
    readers.naming ? undefined : allowTeamDetails(deps, await readChosenTeams(deps), scope, shownToReaders(readers)),
  prices: (_deps, { readPrices }) => readPrices(),
  timeline: async ({ timeline }, { isExplained, scope }) => (isExplained ? timeline(scope.period) : []),
};

/** Which days a view reads, before it is known which of them are published. */
export interface DaysAhead {
  range: Period;
  /** For the usual ranges and the forecast. */
  history: Period;
  readers: Audience;
  options: DaysOptions;
}

/**
 * Reads what a view needs beside the days that are published, in the same round trip: the view then finds it as read just
 * before. It shows nothing, so a part that cannot be read is the view’s to report.
 */
export async function readAhead(
  deps: UsageDeps,
  needs: readonly Series[],
  { range, history, readers, options }: DaysAhead,
): Promise<void> {
  const { days } = deps;
  const known = needs.includes('known') ? daysOfKnown(deps, readers, range) : undefined;
  const isNeeded = (...names: Series[]) => names.some((name) => needs.includes(name));
  const { onProgress: _, ...quietly } = options;
  const ofCredits = slowestOf(needs) === 'credits' ? options : quietly;
  const isOfCredits = isNeeded('credits', 'spend', 'namedSpend', 'ownSpend');
  const totals = isOfCredits ? { period: range, part: days.credits(range, ofCredits) } : undefined;
  await Promise.all([
    totals?.part,
    known && days.credits(known, quietly),
    isNeeded('history') && days.dailyCredits(history, { ...quietly, totals }),
    isNeeded('sums') && days.dailyCredits(range, quietly),
    isNeeded('tools') && days.tools(range, quietly),
    isNeeded('productivity') && days.productivity(range, quietly),
  ]);
}

async function readChosenTeams({ db, people }: UsageDeps): Promise<ChosenTeam[]> {
  const teams = await readOfferedTeams({ db, people });
  return teams
    .filter(({ isChosen }) => isChosen)
    .map(({ handle, members, emails }) => ({ label: `@${handle}`, members: members.length, emails }));
}

/** Its days are the progress that a user sees: counts of two readings would contradict each other. */
const slowestOf = (needs: readonly Series[]): Series => (needs.includes('totals') ? 'totals' : 'credits');

export async function readFacts<Need extends Series>(
  deps: UsageDeps,
  needs: readonly Need[],
  query: FactsQuery,
): Promise<Pick<Facts, Need>> {
  const { onProgress: _, ...quietly } = query.options;
  const slowest = slowestOf(needs);
  const history = needs.some((need) => need === 'history') ? historyOf(query.scope) : undefined;
  const activity = query.activity
    ? Promise.resolve(query.activity)
    : deps.days.activity(spanOf(query.range, history), quietly);
  const facts: Partial<Facts> = {};
  const optionsOf = (name: Series) => (name === slowest ? query.options : quietly);
  const needsCredits = needs.some((need) => need === 'credits');
  const credits = needsCredits
    ? { period: query.range, part: deps.days.credits(query.range, optionsOf('credits')) }
    : undefined;
  let prices: Promise<PriceList> | undefined;
  const readPrices = () => (prices ??= readPriceList(deps.db));
  const read = async (name: Need): Promise<void> => {
    facts[name] = await READERS[name](deps, { ...query, options: optionsOf(name), activity, credits, readPrices });
  };
  await Promise.all([activity, ...needs.map((need) => read(need))]);
  if (!hasAll(facts, needs)) throw new Error('A report was built before its facts were read');
  return facts;
}

function hasAll<Need extends Series>(facts: Partial<Facts>, needs: readonly Need[]): facts is Pick<Facts, Need> {
  return needs.every((need) => need in facts);
}

/** The platform has no filter by person: all rows are read, and who they belong to is known only at the end. */
function createEmailFilter(emails: readonly string[] | undefined): ((key: string) => boolean) | undefined {
  if (!emails) return undefined;
  const emailSet = new Set(emails);
  return (key) => emailSet.has(key);
}

/** Whether figures of people are kept for all days; otherwise an answer about the organization leaves people out. */
function isKept({ days }: UsageDeps, { scope: { period, comparedWith } }: Query): boolean {
  return (comparedWith?.first ?? period.first) >= days.beginningOfPeople().first;
}

/** Computing the totals of this many people takes a few milliseconds. */
const PEOPLE_A_TURN = 500;

async function readSpend(
  deps: UsageDeps,
  { scope: { period, comparedWith }, readers, options, readPrices }: Query,
  emails?: readonly string[],
): Promise<GroupFacts['spend']> {
  const priceDayOf = dayOfPrice(await readPrices(), period);
  const fold = createPeopleSpendFold(period, comparedWith, createEmailFilter(emails), priceDayOf);
  const range = { first: comparedWith?.first ?? period.first, last: period.last };
  const days = await deps.days.peopleCredits(range, (row) => fold.add(row), options);
  const spent = await inTurns(fold.spenders(), PEOPLE_A_TURN);
  const people = await inOwnTurn(() => withNames(deps, readers, spent));
  return { days, people, creditsOn: fold.creditsOn, missingValues: fold.missingValues(), emails: fold.emails };
}

async function readTotals(deps: UsageDeps, query: Query): Promise<GroupFacts['totals']> {
  const { scope, emails, options } = query;
  const fold = createPeopleFold(createEmailFilter(emails), dayOfPrice(await query.readPrices(), scope.period));
  const days = await deps.days.users(scope.period, (row) => fold.add(row), options);
  const people = await withNames(deps, query.readers, mostCreditsFirst(await inTurns(fold.people(), PEOPLE_A_TURN)));
  return { days, people, activeDays: fold.activeDays(), missingValues: fold.missingValues() };
}

const KNOWN_DAYS = 90;

/**
 * The days on which everybody was active who is listed without activity. Inactive people are never named in a channel, even
 * if names were chosen for it.
 */
function daysOfKnown({ config, days }: UsageDeps, readers: Audience, { first, last }: Period): Period | undefined {
  if (!config.showInactive || readers.kind !== 'managers') return undefined;
  const earliest = [days.beginningOfPeople().first, plusDays(last, 1 - KNOWN_DAYS)].toSorted().at(-1) ?? last;
  return { first: first < earliest ? first : earliest, last };
}

async function readKnownPeople(deps: UsageDeps, { scope, readers, options }: Query): Promise<KnownPeople | undefined> {
  const period = daysOfKnown(deps, readers, scope.period);
  if (!period) return undefined;
  const identities = createIdentities();
  const days = await deps.days.peopleCredits(period, (day) => void identities.learn(day), options);
  // Missing rows prove nothing.
  if (days.kind === 'unreadable') return undefined;
  const people = identities.people().map(({ identity }) => identity);
  const withRows = await withNames(deps, readers, people.toArray());
  return { withRows, withLimit: await deps.limits.emailsWithLimit() };
}

const SEAT_DAYS = 30;

/** Inactive people are named to the same readers only. */
async function readSeats(deps: UsageDeps, { scope: { today }, readers, options }: Query): Promise<Seats | undefined> {
  if (!deps.config.showInactive || readers.kind !== 'managers') return undefined;
  const members = await deps.capabilities.readRoster();
  if (!members) return undefined;
  const earliest = [deps.days.beginningOfPeople().first, plusDays(today, -SEAT_DAYS)].toSorted().at(-1) ?? today;
  const period = { first: earliest, last: plusDays(today, -1) };
  const identities = createIdentities();
  const days = await deps.days.peopleCredits(period, (day) => void identities.learn(day), options);
  if (days.kind === 'unreadable') return undefined;
  const users = identities.people().map(({ identity }) => identity);
  const emails = members.map(({ email }) => email);
  const { unused, days: count } = findUnusedSeats(members, users.toArray(), period);
  return {
    count: members.length,
    days: count,
    unused: await withNames(deps, readers, unused),
    withoutOwnLimit: await deps.limits.countWithoutOwn(emails),
  };
}

/** Adds names for readers who may see them; two people with the same name get their e-mails as well. */
async function withNames<Someone extends Identity>(
  { people }: Pick<UsageDeps, 'people'>,
  { naming }: Audience,
  identities: readonly Someone[],
): Promise<readonly Someone[]> {
  if (!naming || identities.length === 0) return identities;
  const names = await people.names();
  const nameOf = ({ email = '' }: Someone) => names.get(email);
  const counts = new Map<string, number>();
  for (const someone of identities) {
    const name = nameOf(someone);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return identities.map((someone) => {
    const name = nameOf(someone);
    if (name === undefined) return someone;
    return { ...someone, name: (counts.get(name) ?? 0) > 1 ? `${name} (${someone.email})` : name };
  });
}
