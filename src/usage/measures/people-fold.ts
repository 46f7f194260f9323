import { personKey } from '../../analytics/person-credits.ts';
import type { UserRow } from '../../platform/endpoints/analytics-rows.ts';
import type { Day } from '../../calendar.ts';

/** What a person did over a range of days. */
export interface PersonTotals {
  /** The same person under the same e-mail in any letter case; without an e-mail, by the platform's id. */
  key: string;
  /** In lower case. Missing: the platform does not know it. */
  email: string | undefined;
  /** One of them, if the platform has several for one e-mail. */
  userId: string;
  credits: number;
  sessions: number;
  messages: number;
  userMessages: number;
  toolCalls: number;
  commits: number;
  pullRequests: number;
  filesCreated: number;
  filesEdited: number;
  /** Days on which the person did anything; a day counts once, whatever the number of its rows. */
  activeDays: number;
  lastActiveDay: Day | undefined;
  /** That of most active days; of several, the one used last. */
  delegationLevel: string | undefined;
  languages: string[];
}

/** Adds up rows as they arrive and keeps none of them. */
export interface PeopleFold {
  /** In any order of days and people. */
  add(row: UserRow): void;
  /** Everybody who had a row, most credits first. */
  people(): PersonTotals[];
  /** Days on which anybody did anything. */
  activeDays(): number;
  /** How many values of the rows the platform did not tell; sums leave them out. */
  missingValues(): number;
}

/**
 * Folds rows of `/users` to one total for each person: 10,000 people over a month fit in a few megabytes.
 *
 * @example
 * const fold = createPeopleFold();
 * for await (const row of platform.analytics.eachUser({ startDate: day, endDate: day })) fold.add(row);
 * fold.people()[0]; // the person who used most
 */
export function createPeopleFold(): PeopleFold {
  const people = new Map<string, Gathered>();
  // Rows of a day share its number, and names are kept once, not once for each row that they came in.
  const days = new Map<Day, number>();
  const names = new Map<string, string>();
  let missing = 0;
  const kept = (name: string) => names.get(name) ?? (names.set(name, name), name);
  return {
    add: (row) => {
      const key = personKey(row);
      const known = people.get(key);
      const person = known ?? newPerson(row);
      if (!known) people.set(key, person);
      missing += addAmounts(person, row);
      for (const language of row.languages) {
        const name = kept(language);
        if (!person.languages.includes(name)) person.languages.push(name);
      }
      if (!isActive(row)) return;
      const day = days.get(row.date) ?? days.size;
      days.set(row.date, day);
      addActiveDay(person, kept(row.delegation_level ?? ''), row.date, day);
    },
    people: () =>
      [...people]
        .map(([key, person]) => totalsOf(key, person))
        .toSorted((a, b) => b.credits - a.credits || (a.key < b.key ? -1 : 1)),
    activeDays: () => days.size,
    missingValues: () => missing,
  };
}

/** Days as bits, 30 to a number. */
type DaySet = number[];

type Gathered = Omit<PersonTotals, 'key' | 'email' | 'activeDays' | 'delegationLevel'> & {
  hasEmail: boolean;
  /** By level; `''` is a level that the platform did not tell. */
  levels: Map<string, { days: DaySet; last: Day }>;
};

function newPerson(row: UserRow): Gathered {
  return {
    hasEmail: Boolean(row.user_email?.trim()),
    userId: row.user_id,
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

/** What is added up of a row, and where. */
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

/** @returns how many of the amounts the platform did not tell */
function addAmounts(person: Gathered, row: UserRow): number {
  if (row.user_id < person.userId) person.userId = row.user_id;
  let missing = 0;
  for (const [amount, measure] of AMOUNTS) {
    const value = row[measure];
    if (value === null) missing += 1;
    else person[amount] += value;
  }
  return missing;
}

/** Did the person do anything on the day of this row? */
function isActive(row: UserRow): boolean {
  return (row.messages ?? 0) + (row.sessions ?? 0) + (row.tool_calls ?? 0) + (row.billable_tokens ?? 0) > 0;
}

function addActiveDay(person: Gathered, level: string, date: Day, day: number): void {
  if (person.lastActiveDay === undefined || date > person.lastActiveDay) person.lastActiveDay = date;
  const used = person.levels.get(level) ?? { days: [], last: date };
  person.levels.set(level, used);
  if (date > used.last) used.last = date;
  const at = Math.floor(day / 30);
  while (used.days.length <= at) used.days.push(0);
  used.days[at] = (used.days[at] ?? 0) | (1 << (day % 30));
}

function totalsOf(key: string, { hasEmail, levels, ...amounts }: Gathered): PersonTotals {
  const sets = [...levels.values()].map(({ days }) => days);
  const longest = Math.max(0, ...sets.map((set) => set.length));
  const all = Array.from({ length: longest }, (_, at) => sets.reduce((bits, set) => bits | (set[at] ?? 0), 0));
  return {
    ...amounts,
    key,
    email: hasEmail ? key : undefined,
    activeDays: countDays(all),
    delegationLevel: usualLevel(levels),
    languages: amounts.languages.toSorted(),
  };
}

function usualLevel(levels: Gathered['levels']): string | undefined {
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
