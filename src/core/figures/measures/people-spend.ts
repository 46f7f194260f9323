import { hasSameWeekdays, weekdayWeights } from '../../analytics/period.ts';
import { createAmounts, createNamedAmounts, sumAt } from '../../analytics/amounts.ts';
import type { FoldedDays } from '../../analytics/days.ts';
import type { Part } from '../../analytics/day-facts.ts';
import type { NumberColumn } from '../../analytics/columns/column-codec.ts';
import { type PeopleColumns, creditsOf } from '../../analytics/columns/people-columns.ts';
import {
  createIdentities,
  createSelection,
  isOneOf,
  keysOf,
  mostCreditsFirst,
  type PersonCredits,
} from '../../analytics/person-credits.ts';
import type { NamingPermission } from '../../slack/people/audience.ts';
import type { Day, Period } from '../../base/time/calendar.ts';
import type { DailyAmounts } from '../money/price-list.ts';
import { personName } from './sentences.ts';
import {
  isComparable,
  knownOf,
  type ComparedFigure,
  type DatedRow,
  type Measurement,
  type ReportScope,
} from './figures.ts';
import { sumOf } from '../../base/statistics.ts';
import type { NamedFigure } from './breakdown.ts';

export interface PersonSpend extends PersonCredits {
  /** See `PricedCredits`. */
  byPrice?: DailyAmounts | undefined;
  before: number;
  was?: number;
}

/** Adds up credits of people as they arrive and keeps no row. */
export interface PeopleSpendFold {
  /** Takes days in any order; those outside both periods are ignored. */
  add(day: PeopleColumns): void;
  /** Returns all people with credits in either period, most credits in the period first. */
  people(): PersonSpend[];
  /** Returns the same people in no order, one by one: thousands take long enough to need pauses, and longer to sort. */
  spenders(): IteratorObject<PersonSpend>;
  creditsOn: (day: Day) => number;
  /** Counts the values that the platform left out; sums do not include them. */
  missingValues: () => number;
  /** Returns every e-mail in the rows, wanted or not, in lower case. */
  emails: () => readonly string[];
}

function totalOf(credits: NumberColumn): number {
  let total = 0;
  for (let row = 0; row < credits.length; row += 1) {
    const amount = credits[row] ?? 0;
    if (!Number.isNaN(amount)) total += amount;
  }
  return total;
}

export interface PeopleSpend {
  days: FoldedDays;
  /** In no order. */
  people: readonly PersonSpend[];
  /** See `PeopleSpendFold`; undefined if there are none. */
  missingValues?: number | undefined;
}

/**
 * Without `isWanted`, memory does not grow with the number of days.
 *
 * @param isWanted selects people by e-mail in lower case, after all rows have arrived; by default everyone
 */
export function createPeopleSpendFold(
  period: Period,
  comparedWith: Period | undefined,
  isWanted?: (key: string) => boolean,
  priceDayOf?: (day: Day) => Day,
): PeopleSpendFold {
  const identities = createIdentities();
  const weightOf = comparedWith && weekdayWeights(period, comparedWith);
  const isAdjusted = comparedWith !== undefined && !hasSameWeekdays(period, comparedWith);
  const sums = { credits: createAmounts(), before: createAmounts(), was: createAmounts(), missing: createAmounts() };
  const byPrice = createNamedAmounts<Day>();
  // Who is wanted is known only at the end, so that then each person’s days are kept. Otherwise all share one place.
  const byDay = createNamedAmounts<Day>();
  const selection = createSelection(identities, isWanted);
  const spenders = () =>
    selection
      .people()
      .map(({ identity, places }): PersonSpend => ({
        ...identity,
        credits: sumAt(sums.credits, places),
        before: sumAt(sums.before, places),
        ...(isAdjusted && { was: sumAt(sums.was, places) }),
        ...(priceDayOf && { byPrice: byPrice.sumsOf(places) }),
      }))
      .filter(({ credits, before }) => credits !== 0 || before !== 0);
  return {
    add: (day) => {
      const { date } = day;
      const credits = creditsOf(day);
      const isNow = isWithin(date, period);
      if (!isNow && !(comparedWith && isWithin(date, comparedWith))) return;
      selection.forget();
      const places = identities.learn(day);
      if (credits instanceof Float64Array) {
        for (const [row, place] of places.entries()) if (Number.isNaN(credits[row])) sums.missing.add(place, 1);
      }
      if (!isNow) {
        sums.before.addAll(places, credits, weightOf?.(date));
        if (isAdjusted) sums.was.addAll(places, credits);
        return;
      }
      sums.credits.addAll(places, credits);
      if (priceDayOf) byPrice.at(priceDayOf(date)).addAll(places, credits);
      if (isWanted) byDay.at(date).addAll(places, credits);
      else byDay.add(date, 0, totalOf(credits));
    },
    people: () => mostCreditsFirst(spenders()),
    spenders,
    emails: () =>
      identities
        .people()
        .flatMap(({ identity }) => (identity.email === undefined ? [] : keysOf(identity)))
        .toArray(),
    creditsOn: (day) => {
      const credits = byDay.of(day);
      if (!credits) return 0;
      return isWanted ? selection.people().reduce((sum, { places }) => sum + sumAt(credits, places), 0) : credits.at(0);
    },
    missingValues: () => selection.people().reduce((sum, { places }) => sum + sumAt(sums.missing, places), 0),
  };
}

const isWithin = (day: Day, { first, last }: Period) => day >= first && day <= last;

export function partOfDays(days: FoldedDays): Part<DatedRow> {
  if (days.kind === 'unreadable') return days;
  return { ...days, rows: days.rows.map((date) => ({ date })) };
}

/** Each person's credits by the name that is shown, in no order, compared where every day of both periods is published. */
export function spendByName(
  { days, people }: PeopleSpend,
  scope: ReportScope,
  naming: NamingPermission,
): Measurement<NamedFigure[]> {
  const part = partOfDays(days);
  const isFair = isComparable(part, scope);
  return knownOf(part, scope.period, () =>
    people.map((person): NamedFigure => {
      const [name, value] = [personName(person, naming), person.credits];
      if (!isFair) return { name, value };
      const { before, was } = person;
      return was === undefined ? { name, value, before } : { name, value, before, was };
    }),
  );
}

export const sumSpend = (people: readonly PersonSpend[]): ComparedFigure => ({
  value: sumOf(people, (one) => one.credits),
  before: sumOf(people, (one) => one.before),
  ...(people.some(({ was }) => was !== undefined) && { was: sumOf(people, ({ was = 0 }) => was) }),
});

export function spendOfAll({ days, people }: PeopleSpend, { period }: ReportScope): Measurement<ComparedFigure> {
  return knownOf(partOfDays(days), period, () => sumSpend(people));
}

export function spendOf(people: readonly PersonSpend[], keys: Iterable<string>): ComparedFigure {
  const keySet = new Set(keys);
  return sumSpend(people.filter((person) => isOneOf(person, keySet)));
}
