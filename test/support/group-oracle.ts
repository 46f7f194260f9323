/** Sums that somebody was shown, of people and days by their numbers. */
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

type Row = bigint[];

/** What somebody used on a day is one unknown; whether it is taken to be known that somebody used nothing makes two oracles. */
export type Idle = 'who is idle is known' | 'nobody is known to be idle';

function unknownsOf({ people, days, use, sums }: Shown, idle: Idle): { person: number; day: number }[] {
  // Somebody who never used anything is there where a sum names them.
  const isThere = (person: number, day: number) =>
    use.some((own) => own[person] === true) ||
    sums.some(({ people: some, first, last }) => some.includes(person) && first <= day && day <= last);
  return Array.from({ length: people * days }, (_, index) => ({
    person: index % people,
    day: Math.floor(index / people),
  })).filter(({ person, day }) =>
    idle === 'who is idle is known' ? use[day]?.[person] === true : isThere(person, day),
  );
}

const rowOf = (unknowns: readonly { person: number; day: number }[], isIn: (person: number, day: number) => boolean) =>
  unknowns.map(({ person, day }) => (isIn(person, day) ? 1n : 0n));

/** The rank over the rational numbers, by elimination without fractions. */
export function rankOf(rows: readonly Row[]): number {
  const left = rows.map((row) => [...row]);
  let rank = 0;
  const width = left[0]?.length ?? 0;
  for (let column = 0; column < width && rank < left.length; column += 1) {
    const pivotAt = left.findIndex((row, index) => index >= rank && row[column] !== 0n);
    const pivot = left[pivotAt];
    if (!pivot) continue;
    left.splice(pivotAt, 1);
    left.splice(rank, 0, pivot);
    const value = pivot[column] ?? 0n;
    for (const row of left.slice(rank + 1)) {
      const factor = row[column] ?? 0n;
      if (factor === 0n) continue;
      for (let place = column; place < width; place += 1)
        row[place] = (row[place] ?? 0n) * value - (pivot[place] ?? 0n) * factor;
    }
    rank += 1;
  }
  return rank;
}

/** All sets of fewer than so many people, and of at least one. */
function fewOf(people: number, fewer: number): number[][] {
  const sets: number[][] = [[]];
  for (let person = 0; person < people; person += 1)
    for (const set of sets.slice()) if (set.length + 1 < fewer) sets.push([...set, person]);
  return sets.filter((set) => set.length > 0);
}

/**
 * Whether some linear combination of the sums, and of what everybody used on each day, is about fewer than so many people, and
 * is no combination of the latter alone.
 */
export function isolatesFewer(shown: Shown, fewer: number, idle: Idle = 'who is idle is known'): boolean {
  const unknowns = unknownsOf(shown, idle);
  const days = Array.from({ length: shown.days }, (_, day) => day);
  const totals = days.map((own) => rowOf(unknowns, (_, day) => day === own));
  const sums = shown.sums.flatMap(({ people, first, last, isByDay }) => {
    const some = new Set(people);
    const spans = isByDay
      ? days.filter((day) => day >= first && day <= last).map((day) => [day, day] as const)
      : [[first, last] as const];
    return spans.map(([from, to]) => rowOf(unknowns, (person, day) => some.has(person) && day >= from && day <= to));
  });
  // A combination about some people alone is zero for all others: there are as many as the rank falls by without the columns of these people.
  const about = (rows: readonly Row[], few: ReadonlySet<number>) =>
    rankOf(rows) - rankOf(rows.map((row) => row.filter((_, place) => !few.has(unknowns[place]?.person ?? -1))));
  return fewOf(shown.people, fewer).some((few) => {
    const set = new Set(few);
    return about([...totals, ...sums], set) > about(totals, set);
  });
}
