import { hasSameWeekdays, weekdayWeights } from '../../analytics/period.ts';
import type { FoldedDays } from '../../analytics/days.ts';
import type { Part, PeopleCreditsRow } from '../../analytics/day-facts.ts';
import {
  createIdentities,
  isOneOf,
  keysOf,
  type Identity,
  type PersonCredits,
} from '../../analytics/person-credits.ts';
import type { NamingPermission } from '../../slack/people/audience.ts';
import { daysOf, type Day, type Period } from '../../base/time/calendar.ts';
import type { DailyAmounts } from '../money/price-list.ts';
import { personName } from '../sentences.ts';
import {
  isComparable,
  knownOf,
  sumOf,
  type ComparedFigure,
  type DatedRow,
  type Measurement,
  type ReportScope,
} from './figures.ts';
import type { NamedFigure } from './breakdown.ts';

export interface PersonSpend extends PersonCredits {
  /** See `PricedCredits`. */
  byPrice?: DailyAmounts | undefined;
  before: number;
  was?: number;
}

/** Adds up credits of people as they arrive and keeps no row. */
export interface PeopleSpendFold {
  /** Takes rows in any order; days outside both periods are ignored. */
  add(row: PeopleCreditsRow): void;
  /** Returns all people with credits in either period, most credits in the period first. */
  people(): PersonSpend[];
  creditsOn: (day: Day) => number;
  /** Counts the values that the platform left out; sums do not include them. */
  missingValues: () => number;
  /** Returns every e-mail in the rows, wanted or not, in lower case. */
  emails: () => readonly string[];
}

export interface PeopleSpend {
  days: FoldedDays;
  people: readonly PersonSpend[];
  /** See `PeopleSpendFold`; undefined if there are none. */
  missingValues?: number | undefined;
}

/** @param isWanted selects people by e-mail in lower case, after all rows have arrived; by default everyone */
export function createPeopleSpendFold(
  period: Period,
  comparedWith: Period | undefined,
  isWanted: (key: string) => boolean = () => true,
  priceDayOf?: (day: Day) => Day,
): PeopleSpendFold {
  const identities = createIdentities();
  const rows = new Map<string, PersonAmounts>();
  const weightOf = comparedWith && weekdayWeights(period, comparedWith);
  const isAdjusted = comparedWith !== undefined && !hasSameWeekdays(period, comparedWith);
  const places = new Map(daysOf(period).map((day, place) => [day, place]));
  const priceDays = priceDayOf && [...places.keys()].map((day) => priceDayOf(day));
  const sumsByPrice = (gathered: readonly PersonAmounts[], days: readonly Day[]): DailyAmounts => {
    const sums = new Map<Day, number>();
    for (const { byDay } of gathered) {
      for (const [place, credits] of byDay.entries()) {
        const day = days[place];
        if (day !== undefined && credits !== 0) sums.set(day, (sums.get(day) ?? 0) + credits);
      }
    }
    return [...sums];
  };
  let everybody: readonly { identity: Identity; gathered: PersonAmounts[] }[] | undefined;
  const selectedPeople = () =>
    (everybody ??= identities
      .people()
      .filter(({ identity }) => keysOf(identity).some(isWanted))
      .map(({ identity, userIds }) => ({ identity, gathered: userIds.flatMap((id) => rows.get(id) ?? []) }))
      .toArray());
  return {
    add: ({ date, people }) => {
      const isNow = isWithin(date, period);
      if (!isNow && !(comparedWith && isWithin(date, comparedWith))) return;
      const weight = isNow ? 1 : (weightOf?.(date) ?? 1);
      const place = places.get(date);
      everybody = undefined;
      for (const row of people) {
        identities.learn(row, date);
        const person = rows.get(row.user_id) ?? { credits: 0, before: 0, was: 0, missing: 0, byDay: [] };
        rows.set(row.user_id, person);
        if (row.billable_tokens === null) person.missing += 1;
        else if (place === undefined) {
          person.before += row.billable_tokens * weight;
          person.was += row.billable_tokens;
        } else {
          person.credits += row.billable_tokens;
          while (person.byDay.length <= place) person.byDay.push(0);
          person.byDay[place] = (person.byDay[place] ?? 0) + row.billable_tokens;
        }
      }
    },
    people: () =>
      selectedPeople()
        .map(({ identity, gathered }): PersonSpend => ({
          ...identity,
          credits: sumOf(gathered, ({ credits }) => credits),
          before: sumOf(gathered, ({ before }) => before),
          ...(isAdjusted && { was: sumOf(gathered, ({ was }) => was) }),
          ...(priceDays && { byPrice: sumsByPrice(gathered, priceDays) }),
        }))
        .filter(({ credits, before }) => credits !== 0 || before !== 0)
        .toSorted((a, b) => b.credits - a.credits || (a.key < b.key ? -1 : 1)),
    emails: () =>
      identities
        .people()
        .flatMap(({ identity }) => (identity.email === undefined ? [] : keysOf(identity)))
        .toArray(),
    creditsOn: (day) => {
      const place = places.get(day);
      if (place === undefined) return 0;
      return sumOf(selectedPeople(), ({ gathered }) => sumOf(gathered, ({ byDay }) => byDay[place] ?? 0));
    },
    missingValues: () => sumOf(selectedPeople(), ({ gathered }) => sumOf(gathered, ({ missing }) => missing)),
  };
}

interface PersonAmounts {
  credits: number;
  before: number;
  /** Like `before`, but not adjusted for weekdays. */
  was: number;
  missing: number;
  /** By the position of the day in the period. */
  byDay: number[];
}

const isWithin = (day: Day, { first, last }: Period) => day >= first && day <= last;

export function partOfDays(days: FoldedDays): Part<DatedRow> {
  if (days.kind === 'unreadable') return days;
  return { ...days, rows: days.rows.map((date) => ({ date })) };
}

/** Each person's credits by the name that is shown, compared where every day of both periods is published. */
export function spendByName(
  { days, people }: PeopleSpend,
  scope: ReportScope,
  naming: NamingPermission,
): Measurement<NamedFigure[]> {
  const part = partOfDays(days);
  const isFair = isComparable(part, scope);
  return knownOf(part, scope.period, () =>
    people.map((person) => {
      const figure = { name: personName(person, naming), value: person.credits };
      if (!isFair) return figure;
      return { ...figure, before: person.before, ...(person.was !== undefined && { was: person.was }) };
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
