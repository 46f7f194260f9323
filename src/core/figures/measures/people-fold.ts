import {
  createIdentities,
  createSelection,
  type IdentifiedPerson,
  type PersonCredits,
} from '../../analytics/person-credits.ts';
import type { UserRow } from '../../platform/endpoints/analytics-rows.ts';
import type { Day } from '../../base/time/calendar.ts';
import { createActiveDays } from './active-days.ts';
import { createAmounts, createNamedAmounts, sumAt, type Amounts } from '../../analytics/amounts.ts';
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
  languages: readonly string[];
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

/** `isWanted` gets lower-case e-mails, perhaps from later rows; by default everyone. A person takes half a kilobyte. */
export function createPeopleFold(isWanted?: (key: string) => boolean, priceDayOf?: (day: Day) => Day): PeopleFold {
  const identities = createIdentities();
  const sums: Record<Measure, Amounts> = {
    billable_tokens: createAmounts(),
    sessions: createAmounts(),
    messages: createAmounts(),
    user_messages: createAmounts(),
    tool_calls: createAmounts(),
    git_commits: createAmounts(),
    git_prs_created: createAmounts(),
    files_created: createAmounts(),
    files_edited: createAmounts(),
  };
  const missing = createAmounts();
  const byPrice = createNamedAmounts<Day>();
  const levels = createActiveDays();
  /** By place, in alphabetical order. Many people use the same ones, so each list is kept once. */
  const languages: (readonly string[] | undefined)[] = [];
  const lists = new Map<string, readonly string[]>();
  const internList = (list: readonly string[]) => {
    const key = JSON.stringify(list);
    return lists.get(key) ?? (lists.set(key, list), list);
  };
  // Each row brings its own copy of each name; one is kept.
  const names = new Map<string, string>();
  const intern = (name: string) => names.get(name) ?? (names.set(name, name), name);
  const selection = createSelection(identities, isWanted);
  const totalsOf = ({ identity, places }: IdentifiedPerson): PersonTotals => {
    const sumOf = (measure: Measure) => sumAt(sums[measure], places);
    return {
      ...identity,
      credits: sumOf('billable_tokens'),
      sessions: sumOf('sessions'),
      messages: sumOf('messages'),
      userMessages: sumOf('user_messages'),
      toolCalls: sumOf('tool_calls'),
      commits: sumOf('git_commits'),
      pullRequests: sumOf('git_prs_created'),
      filesCreated: sumOf('files_created'),
      filesEdited: sumOf('files_edited'),
      ...(priceDayOf && { byPrice: byPrice.sumsOf(places) }),
      ...levels.of(places),
      languages: places.map((place) => languages[place] ?? []).reduce(unionOf),
    };
  };
  return {
    add: (row) => {
      selection.forget();
      const date = intern(row.date);
      const place = identities.learnRow(row, date);
      for (const measure of MEASURES) {
        const value = row[measure];
        if (value === null) missing.add(place, 1);
        else sums[measure].add(place, value);
      }
      if (priceDayOf) byPrice.add(priceDayOf(date), place, row.billable_tokens ?? 0);
      const known = languages[place] ?? NO_LANGUAGES;
      const all = unionOf(known, row.languages);
      if (all !== known) languages[place] = internList(all.map(intern));
      if (isActive(row)) levels.add(place, intern(row.delegation_level ?? ''), date);
    },
    people: () => selection.people().map(totalsOf),
    activeDays: () => levels.countDays(selection.people().flatMap(({ places }) => places)),
    missingValues: () => selection.people().reduce((sum, { places }) => sum + sumAt(missing, places), 0),
  };
}

const MEASURES = [
  'billable_tokens',
  'sessions',
  'messages',
  'user_messages',
  'tool_calls',
  'git_commits',
  'git_prs_created',
  'files_created',
  'files_edited',
] as const;
type Measure = (typeof MEASURES)[number];

const NO_LANGUAGES: readonly string[] = [];

/** Returns the same list if there is no other name, which is the case for most rows. */
function unionOf(sorted: readonly string[], names: readonly string[]): readonly string[] {
  return names.every((name) => sorted.includes(name)) ? sorted : [...new Set([...sorted, ...names])].toSorted();
}

function isActive(row: UserRow): boolean {
  return (row.messages ?? 0) + (row.sessions ?? 0) + (row.tool_calls ?? 0) + (row.billable_tokens ?? 0) > 0;
}
