import { weekdayWeights } from '../../analytics/comparison.ts';
import type { Folded } from '../../analytics/days.ts';
import type { Part, PeopleCreditsRow } from '../../analytics/facts.ts';
import { personKey, type PersonCredits } from '../../analytics/person-credits.ts';
import type { Naming } from '../../slack/people/audience.ts';
import type { Day, Period } from '../../calendar.ts';
import { personName } from '../sentences.ts';
import { isComparable, knownOf, sumOf, type Dated, type Known, type ReportScope } from './figures.ts';
import type { NamedFigure } from './breakdown.ts';

/** What a person used in a period, and in the one before. */
export interface PersonSpend extends PersonCredits {
  before: number;
}

/** Adds up credits of people as they arrive and keeps no row. */
export interface PeopleSpendFold {
  /** In any order; days outside of both periods are passed over. */
  add(row: PeopleCreditsRow): void;
  /** Everybody who used something in one of the periods, most of the period first. */
  people(): PersonSpend[];
  /** What all of them used on a day of the period. */
  creditsOn: (day: Day) => number;
  /** How many values of the rows the platform did not tell; sums leave them out. */
  missingValues: () => number;
}

/** What came of such a fold: the days that were read, or why they could not be. */
export interface PeopleSpend {
  days: Folded;
  people: readonly PersonSpend[];
  /** See `PeopleSpendFold`. Missing: none. */
  missingValues?: number | undefined;
}

/**
 * @param isWanted whose credits are added up; everybody's, if it is missing. It gets the e-mail in lower case.
 * @example
 * const fold = createPeopleSpendFold(period, comparedPeriod(period));
 * const days = await analytics.peopleCredits(range, (row) => fold.add(row));
 * buildMoves({ credits, people: { days, people: fold.people() } }, scope, naming);
 */
export function createPeopleSpendFold(
  period: Period,
  comparedWith: Period | undefined,
  isWanted: (key: string) => boolean = () => true,
): PeopleSpendFold {
  const people = new Map<string, PersonSpend>();
  const byDay = new Map<Day, number>();
  let missing = 0;
  const weightOf = comparedWith && weekdayWeights(period, comparedWith);
  return {
    add: ({ date, people: rows }) => {
      const isNow = isWithin(date, period);
      if (!isNow && !(comparedWith && isWithin(date, comparedWith))) return;
      const weight = isNow ? 1 : (weightOf?.(date) ?? 1);
      for (const row of rows) {
        const key = personKey(row);
        if (!isWanted(key)) continue;
        const person = people.get(key) ?? newSpend(key, row);
        people.set(key, person);
        if (row.user_id < person.userId) person.userId = row.user_id;
        if (row.billable_tokens === null) missing += 1;
        else if (!isNow) person.before += row.billable_tokens * weight;
        else {
          person.credits += row.billable_tokens;
          byDay.set(date, (byDay.get(date) ?? 0) + row.billable_tokens);
        }
      }
    },
    people: () =>
      [...people.values()]
        .filter(({ credits, before }) => credits !== 0 || before !== 0)
        .toSorted((a, b) => b.credits - a.credits || (a.key < b.key ? -1 : 1)),
    creditsOn: (day) => byDay.get(day) ?? 0,
    missingValues: () => missing,
  };
}

const isWithin = (day: Day, { first, last }: Period) => day >= first && day <= last;

function newSpend(key: string, row: PeopleCreditsRow['people'][number]): PersonSpend {
  const email = row.user_email?.trim() ? key : undefined;
  return { key, email, userId: row.user_id, credits: 0, before: 0 };
}

/** The days of a fold as a part like any other. */
export function partOfDays(days: Folded): Part<Dated> {
  if (days.kind === 'unreadable') return days;
  return { ...days, rows: days.rows.map((date) => ({ date })) };
}

/** Each person's credits by the name that is shown, compared where every day of both periods is published. */
export function spendByName({ days, people }: PeopleSpend, scope: ReportScope, naming: Naming): Known<NamedFigure[]> {
  const part = partOfDays(days);
  const isFair = isComparable(part, scope);
  return knownOf(part, scope.period, () =>
    people.map((person) => {
      const figure = { name: personName(person, naming), value: person.credits };
      return isFair ? { ...figure, before: person.before } : figure;
    }),
  );
}

/** What everybody used together. */
export function spendOfAll(
  { days, people }: PeopleSpend,
  { period }: ReportScope,
): Known<{ value: number; before: number }> {
  return knownOf(partOfDays(days), period, () => ({
    value: sumOf(people, (one) => one.credits),
    before: sumOf(people, (one) => one.before),
  }));
}

/** @example spendOf(people, team.emails) // { credits: 1200, before: 900 } */
export function spendOf(people: readonly PersonSpend[], keys: Iterable<string>): { credits: number; before: number } {
  const wanted = new Set(keys);
  const theirs = people.filter((person) => wanted.has(person.key));
  return { credits: sumOf(theirs, (person) => person.credits), before: sumOf(theirs, (person) => person.before) };
}
