import { daysOf, type Day, type Period } from '../../src/core/base/time/calendar.ts';
import type { Organization } from '../../src/sandbox/platform/model/organization.ts';
import { predict } from './prediction.ts';

/** Sums that were shown to a user, of people and days by their numbers. */
export interface Sum {
  people: readonly number[];
  first: number;
  last: number;
  /** For each of its days. */
  isByDay: boolean;
}

export interface Shown {
  people: number;
  days: number;
  /** For each day, whether each person used something. */
  use: readonly (readonly boolean[])[];
  sums: readonly Sum[];
}

/** The usage of a person on a day is one unknown; idle days may count as known or not, which makes two oracles. */
export type Idle = 'idle people are known' | 'idle people are unknown';

function unknownsOf({ people, days, use, sums }: Shown, idle: Idle): { person: number; day: number }[] {
  // A person who never used anything is included if a sum names them.
  const isThere = (person: number, day: number) =>
    use.some((own) => own[person] === true) ||
    sums.some(({ people: some, first, last }) => some.includes(person) && first <= day && day <= last);
  return Array.from({ length: people * days }, (_, index) => ({
    person: index % people,
    day: Math.floor(index / people),
  })).filter(({ person, day }) =>
    idle === 'idle people are known' ? use[day]?.[person] === true : isThere(person, day),
  );
}

/** All sets of at least one person and fewer people than the limit. */
function fewOf(people: number, fewer: number): number[][] {
  const sets: number[][] = [[]];
  for (let person = 0; person < people; person += 1)
    for (const set of sets.slice()) if (set.length + 1 < fewer) sets.push([...set, person]);
  return sets.filter((set) => set.length > 0);
}

/**
 * Whether some linear combination of the sums, and of the totals of each day, is about fewer people than the limit, and
 * is no combination of the totals alone.
 */
export function isolatesFewer(shown: Shown, fewer: number, idle: Idle = 'idle people are known'): boolean {
  const unknowns = unknownsOf(shown, idle);
  const row = (isIn: (person: number, day: number) => boolean) =>
    Float64Array.from(unknowns, ({ person, day }) => (isIn(person, day) ? 1 : 0));
  const days = Array.from({ length: shown.days }, (_, day) => day);
  const totals = days.map((own) => row((_, day) => day === own));
  const sums = shown.sums.flatMap(({ people, first, last, isByDay }) => {
    const some = new Set(people);
    const spans = isByDay
      ? days.filter((day) => day >= first && day <= last).map((day) => [day, day] as const)
      : [[first, last] as const];
    return spans.map(([from, to]) => row((person, day) => some.has(person) && day >= from && day <= to));
  });
  // A combination about some people alone is zero for all others: there are as many as the rank falls by without the columns of these people.
  const aboutIn = (rows: readonly Float64Array[]) => {
    const basis = basisOf(rows);
    return (few: ReadonlySet<number>) =>
      basis.length - rankModulo(basis, (place) => !few.has(unknowns[place]?.person ?? -1));
  };
  const [aboutTotals, aboutAll] = [aboutIn(totals), aboutIn([...totals, ...sums])];
  return fewOf(shown.people, fewer).some((few) => aboutAll(new Set(few)) > aboutTotals(new Set(few)));
}

/** A sum of people by their e-mails. */
export interface NamedSum {
  emails: readonly string[];
  period: Period;
  isByDay: boolean;
}

/** A prime whose square a number holds exactly. */
const PRIME = 67_108_859;

/**
 * Rows that add nothing are dropped as they come: eliminating this number of rows and unknowns would take too long
 * otherwise.
 */
function createBasis() {
  const pivots = new Map<number, Float64Array>();
  return {
    rank: () => pivots.size,
    rows: () => [...pivots.values()],
    add: (row: Float64Array) => {
      for (let place = 0; place < row.length; place += 1) {
        const value = row[place] ?? 0;
        if (value === 0) continue;
        const pivot = pivots.get(place);
        if (!pivot) {
          const inverse = inverseOf(value);
          for (let rest = place; rest < row.length; rest += 1) row[rest] = ((row[rest] ?? 0) * inverse) % PRIME;
          pivots.set(place, row);
          return;
        }
        for (let rest = place; rest < row.length; rest += 1)
          row[rest] = ((row[rest] ?? 0) + (PRIME - value) * (pivot[rest] ?? 0)) % PRIME;
      }
    },
  };
}

/** By Fermat: the power of two less than the prime. */
function inverseOf(value: number): number {
  let [result, base, exponent] = [1, value, PRIME - 2];
  while (exponent > 0) {
    if (exponent % 2 === 1) result = (result * base) % PRIME;
    base = (base * base) % PRIME;
    exponent = Math.floor(exponent / 2);
  }
  return result;
}

/** As many rows as the rank, with the same combinations: the others would be eliminated again for each person. */
function basisOf(rows: readonly Float64Array[]): Float64Array[] {
  const basis = createBasis();
  for (const one of rows) basis.add(one.slice());
  return basis.rows();
}

function rankModulo(rows: readonly Float64Array[], isKept: (place: number) => boolean): number {
  const basis = createBasis();
  for (const row of rows) basis.add(row.filter((_, place) => isKept(place)));
  return basis.rank();
}

/**
 * Returns the people whose figures are revealed: some linear combination of the sums, of the totals of each day and of
 * the asker’s own figures is about that person alone. Idle days count as known.
 */
export function isolatesSomebody(organization: Organization, sums: readonly NamedSum[], asker: string): string[] {
  const days = [...new Set(sums.flatMap(({ period }) => daysOf(period)))].toSorted();
  const used = new Map(days.map((day) => [day, predict(organization, { first: day, last: day }).people]));
  const unknowns = days.flatMap((day) =>
    [...(used.get(day) ?? [])].filter(([, credits]) => credits > 0).map(([email]) => ({ email, day })),
  );
  const row = (isIn: (unknown: { email: string; day: Day }) => boolean) =>
    Float64Array.from(unknowns, (unknown) => (isIn(unknown) ? 1 : 0));
  const totals = days.map((own) => row(({ day }) => day === own));
  const own = unknowns.filter(({ email }) => email === asker).map((one) => row((unknown) => unknown === one));
  const distinct = new Map(
    sums.flatMap(({ emails, period: { first, last }, isByDay }) => {
      const some = new Set(emails.map((email) => email.toLowerCase()));
      const spans = isByDay ? daysOf({ first, last }).map((day) => [day, day] as const) : [[first, last] as const];
      return spans.map(([from, to]) => {
        const shown = row(({ email, day }) => some.has(email) && day >= from && day <= to);
        return [shown.join(''), shown] as const;
      });
    }),
  );
  const known = [...totals, ...own];
  const all = [...known, ...distinct.values()];
  const ranks = [rankModulo(known, () => true), rankModulo(all, () => true)] as const;
  const people = [...new Set(unknowns.map(({ email }) => email))].filter((email) => email !== asker);
  return people.filter((person) => {
    const isOther = (place: number) => unknowns[place]?.email !== person;
    const about = [ranks[0] - rankModulo(known, isOther), ranks[1] - rankModulo(all, isOther)] as const;
    return about[1] > about[0];
  });
}
