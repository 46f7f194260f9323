import { inOwnTurn } from '../base/time/turns.ts';
import { daysOf, type Day, type Period } from '../base/time/calendar.ts';
import type { AnalyticsDays, FoldedDays } from './days.ts';
import type { DaysOptions, Part } from './day-facts.ts';
import { createDailySums, type AmountsByDay } from './amounts.ts';
import { createIdentities, keysOf } from './person-credits.ts';

export interface PeopleByDay {
  /** By the person’s key, a value for each day of the period; 0 if unknown. */
  credits: CreditsByDay;
  /** The key of each person’s credits, by each of their e-mails in lower case. */
  keyByEmail: ReadonlyMap<string, string>;
  /** The published days and their positions in the period, oldest first. */
  published: readonly { day: Day; place: number }[];
}

/** A `Map` that makes its values when they are requested: 100,000 arrays would take as much as what is in them. */
export type CreditsByDay = Pick<
  ReadonlyMap<string, AmountsByDay>,
  'get' | 'keys' | 'values' | 'size' | typeof Symbol.iterator
>;

/** Reads everyone’s credits of a period in one pass: an array of days for each person. */
export async function readPeopleByDay(
  days: Pick<AnalyticsDays, 'peopleCredits'>,
  period: Period,
  options: DaysOptions,
): Promise<{ kind: 'read'; people: PeopleByDay; folded: FoldedDays } | Extract<Part<never>, { kind: 'unreadable' }>> {
  const all = daysOf(period);
  const positions = new Map(all.map((day, position) => [day, position]));
  const identities = createIdentities();
  const sums = createDailySums(all.length);
  const folded = await days.peopleCredits(
    period,
    (row) => {
      const position = positions.get(row.date);
      if (position === undefined) return;
      for (const person of row.people)
        sums.add(identities.learn(person, row.date), position, person.billable_tokens ?? 0);
    },
    options,
  );
  if (folded.kind === 'unreadable') return folded;
  // With thousands of people the rest takes long: other work runs first.
  const people = await inOwnTurn(() => peopleOf(identities, sums));
  const published = folded.rows.flatMap((day) => {
    const place = positions.get(day);
    return place === undefined ? [] : [{ day, place }];
  });
  published.sort((one, other) => one.place - other.place);
  return { kind: 'read', folded, people: { ...people, published } };
}

function peopleOf(
  identities: ReturnType<typeof createIdentities>,
  sums: ReturnType<typeof createDailySums>,
): Pick<PeopleByDay, 'credits' | 'keyByEmail'> {
  const placesByKey = new Map<string, readonly number[] | number>();
  const keyByEmail = new Map<string, string>();
  for (const { identity, places } of identities.people()) {
    const [first = 0, ...others] = places;
    placesByKey.set(identity.key, others.length === 0 ? first : places);
    for (const email of keysOf(identity)) keyByEmail.set(email, identity.key);
  }
  return { credits: createCredits(placesByKey, sums), keyByEmail };
}

function createCredits(
  placesByKey: ReadonlyMap<string, readonly number[] | number>,
  { of }: ReturnType<typeof createDailySums>,
): CreditsByDay {
  const creditsAt = (places: readonly number[] | number) =>
    typeof places === 'number' ? of(places) : sumsByDay(places.map(of));
  return {
    size: placesByKey.size,
    get: (key) => {
      const places = placesByKey.get(key);
      return places === undefined ? undefined : creditsAt(places);
    },
    keys: () => placesByKey.keys(),
    values: () => placesByKey.values().map(creditsAt),
    [Symbol.iterator]: () => placesByKey.entries().map(([key, places]) => [key, creditsAt(places)] as const),
  };
}

function sumsByDay(amounts: readonly AmountsByDay[]): Float64Array {
  const [{ length } = []] = amounts;
  return Float64Array.from({ length }, (_, position) => amounts.reduce((sum, own) => sum + (own[position] ?? 0), 0));
}
