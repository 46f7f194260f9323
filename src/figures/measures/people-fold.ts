import { createIdentities, keysOf, type Identity, type PersonCredits } from '../../analytics/person-credits.ts';
import type { UserRow } from '../../platform/endpoints/analytics-rows.ts';
import type { Day } from '../../base/time/calendar.ts';
import type { DailyAmounts } from '../money/price-list.ts';

export interface PersonTotals extends PersonCredits {
  /** See `PricedCredits`. */
  byPrice?: DailyAmounts | undefined;
  sessions: number;
  messages: number;
  userMessages: number;
  toolCalls: number;
  commits: number;
  pullRequests: number;
  filesCreated: number;
  filesEdited: number;
  /** Days on which the person did anything; a day counts once, however many rows it has. */
  activeDays: number;
  lastActiveDay: Day | undefined;
  /** The level with most active days; among equals, the one used last. */
  delegationLevel: string | undefined;
  languages: string[];
}

/** Adds up rows as they arrive and keeps none of them. */
export interface PeopleFold {
  /** Takes rows in any order of days and people. */
  add(row: UserRow): void;
  /** Computes the totals one by one, for all people with a row: thousands take a tenth of a second. */
  people(): Iterable<PersonTotals>;
  /** Counts the days on which any of them was active. */
  activeDays(): number;
  /** Counts the values that the platform left out; sums do not include them. */
  missingValues(): number;
}

/** `isWanted` gets lower-case e-mails, perhaps from later rows. 10,000 people over a month fit in a few megabytes. */
export function createPeopleFold(
  isWanted: (key: string) => boolean = () => true,
  priceDayOf?: (day: Day) => Day,
): PeopleFold {
  const identities = createIdentities();
  const rows = new Map<string, RowTotals>();
  // Saves memory: days are numbered, and each name is stored once instead of once for each row.
  const days = new Map<Day, number>();
  const names = new Map<string, string>();
  let everybody: readonly PersonRowTotals[] | undefined;
  function* collect() {
    const people: PersonRowTotals[] = [];
    for (const { identity, userIds } of identities.people()) {
      if (!keysOf(identity).some(isWanted)) continue;
      const person = { identity, gathered: mergeTotals(userIds.flatMap((id) => rows.get(id) ?? [])) };
      people.push(person);
      yield person;
    }
    everybody = people;
  }
  const selectedPeople = () => everybody?.values() ?? collect();
  const intern = (name: string) => names.get(name) ?? (names.set(name, name), name);
  return {
    add: (row) => {
      everybody = undefined;
      identities.learn(row, row.date);
      const person = rows.get(row.user_id) ?? newPerson();
      rows.set(row.user_id, person);
      person.missing += addAmounts(person, row);
      if (priceDayOf) addTo((person.byPrice ??= new Map()), priceDayOf(row.date), row.billable_tokens ?? 0);
      for (const language of row.languages) {
        const name = intern(language);
        if (!person.languages.includes(name)) person.languages.push(name);
      }
      if (!isActive(row)) return;
      const day = days.get(row.date) ?? days.size;
      days.set(row.date, day);
      addActiveDay(person, intern(row.delegation_level ?? ''), row.date, day);
    },
    people: () => selectedPeople().map(({ identity, gathered }) => totalsOf(identity, gathered)),
    activeDays: () => countDays(unionOf(selectedPeople().flatMap(({ gathered }) => daySetsOf(gathered)))),
    missingValues: () => selectedPeople().reduce((sum, { gathered }) => sum + gathered.missing, 0),
  };
}

export function mostCreditsFirst(people: Iterable<PersonTotals>): PersonTotals[] {
  return [...people].toSorted((a, b) => b.credits - a.credits || (a.key < b.key ? -1 : 1));
}

/** Days as bits, 30 to a number. */
type DaySet = number[];

type RowTotals = Omit<PersonTotals, keyof Identity | 'activeDays' | 'delegationLevel' | 'byPrice'> & {
  missing: number;
  /** Credits by a day of each price; missing at one price. */
  byPrice?: Map<Day, number>;
  /** By level; `''` if the platform left the level out. */
  levels: Map<string, { days: DaySet; last: Day }>;
};

interface PersonRowTotals {
  identity: Identity;
  gathered: RowTotals;
}

function newPerson(): RowTotals {
  return {
    missing: 0,
    credits: 0,
    sessions: 0,
    messages: 0,
    userMessages: 0,
    toolCalls: 0,
    commits: 0,
    pullRequests: 0,
    filesCreated: 0,
    filesEdited: 0,
    lastActiveDay: undefined,
    languages: [],
    levels: new Map(),
  };
}

function mergeTotals(parts: readonly RowTotals[]): RowTotals {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const person = newPerson();
  for (const part of parts) {
    for (const [amount] of AMOUNTS) person[amount] += part[amount];
    person.missing += part.missing;
    for (const [day, credits] of part.byPrice ?? []) addTo((person.byPrice ??= new Map()), day, credits);
    person.lastActiveDay = latest(person.lastActiveDay, part.lastActiveDay);
    person.languages = [...new Set([...person.languages, ...part.languages])];
    for (const [level, { days, last }] of part.levels) {
      const levelDays = person.levels.get(level) ?? { days: [], last };
      person.levels.set(level, { days: unionOf([levelDays.days, days]), last: latest(levelDays.last, last) ?? last });
    }
  }
  return person;
}

const latest = (a: Day | undefined, b: Day | undefined) => (a === undefined || (b !== undefined && b > a) ? b : a);

const AMOUNTS = [
  ['credits', 'billable_tokens'],
  ['sessions', 'sessions'],
  ['messages', 'messages'],
  ['userMessages', 'user_messages'],
  ['toolCalls', 'tool_calls'],
  ['commits', 'git_commits'],
  ['pullRequests', 'git_prs_created'],
  ['filesCreated', 'files_created'],
  ['filesEdited', 'files_edited'],
] as const;

/** @returns how many of the amounts the platform left out */
function addAmounts(person: RowTotals, row: UserRow): number {
  let missing = 0;
  for (const [amount, measure] of AMOUNTS) {
    const value = row[measure];
    if (value === null) missing += 1;
    else person[amount] += value;
  }
  return missing;
}

function addTo(sums: Map<Day, number>, day: Day, credits: number): void {
  sums.set(day, (sums.get(day) ?? 0) + credits);
}

function isActive(row: UserRow): boolean {
  return (row.messages ?? 0) + (row.sessions ?? 0) + (row.tool_calls ?? 0) + (row.billable_tokens ?? 0) > 0;
}

function addActiveDay(person: RowTotals, level: string, date: Day, day: number): void {
  if (person.lastActiveDay === undefined || date > person.lastActiveDay) person.lastActiveDay = date;
  const used = person.levels.get(level) ?? { days: [], last: date };
  person.levels.set(level, used);
  if (date > used.last) used.last = date;
  const at = Math.floor(day / 30);
  while (used.days.length <= at) used.days.push(0);
  used.days[at] = (used.days[at] ?? 0) | (1 << (day % 30));
}

function totalsOf(identity: Identity, gathered: RowTotals): PersonTotals {
  const { missing: _, byPrice, levels, languages, ...amounts } = gathered;
  return {
    ...identity,
    ...amounts,
    ...(byPrice && { byPrice: [...byPrice] }),
    activeDays: countDays(unionOf(daySetsOf(gathered))),
    delegationLevel: usualLevel(levels),
    languages: languages.toSorted(),
  };
}

const daySetsOf = ({ levels }: RowTotals) => [...levels.values()].map(({ days }) => days);

function unionOf(sets: Iterable<DaySet>): DaySet {
  const union: DaySet = [];
  for (const set of sets) {
    for (const [at, bits] of set.entries()) union[at] = (union[at] ?? 0) | bits;
  }
  return union;
}

function usualLevel(levels: RowTotals['levels']): string | undefined {
  const [usual] = [...levels]
    .filter(([level]) => level !== '')
    .map(([level, { days, last }]) => ({ level, days: countDays(days), last }))
    .toSorted((a, b) => b.days - a.days || (a.last < b.last ? 1 : a.last > b.last ? -1 : a.level < b.level ? -1 : 1));
  return usual?.level;
}

function countDays(set: DaySet): number {
  let count = 0;
  for (let bits of set) for (; bits !== 0; bits &= bits - 1) count += 1;
  return count;
}
