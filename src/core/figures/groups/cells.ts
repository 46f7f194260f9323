import { daysOf, plusDays, type Day, type Period } from '../../base/time/calendar.ts';

/** A sum over the credits of some people that was shown; that of all people counts as shown for every day. */
export interface ShownSum {
  people: ReadonlySet<string>;
  period: Period;
  isByDay: boolean;
}

export interface Activity {
  /** All people that the platform has known recently. */
  everybody: Iterable<string>;
  isActive: (person: string, day: Day) => boolean;
}

/** Days that no sum distinguishes, with the sets of people that sums over these days are about. */
export interface Stretch {
  days: readonly Day[];
  sets: readonly ReadonlySet<string>[];
}

/** @param earlierSums all sums that share a day with `newSums`, and all that share a day with those */
export function stretchesOf(earlierSums: readonly ShownSum[], newSums: readonly ShownSum[]): Stretch[] {
  const all = [...earlierSums, ...newSums];
  const touched = all.filter(({ period }) => newSums.some((one) => overlap(one.period, period)));
  const starts = new Set(
    all.flatMap(({ period, isByDay }) => [...(isByDay ? daysOf(period) : [period.first]), plusDays(period.last, 1)]),
  );
  const days = [...new Set(touched.flatMap(({ period }) => daysOf(period)))].toSorted();
  const stretches: Day[][] = [];
  for (const day of days) {
    const current = stretches.at(-1);
    const isNext = current !== undefined && plusDays(current.at(-1) ?? day, 1) === day && !starts.has(day);
    if (isNext) current.push(day);
    else stretches.push([day]);
  }
  return stretches.map((within) => ({ days: within, sets: setsOn(all, within[0] ?? '') }));
}

function setsOn(all: readonly ShownSum[], day: Day): ReadonlySet<string>[] {
  return [
    ...new Set(all.filter(({ period }) => period.first <= day && day <= period.last).map(({ people }) => people)),
  ];
}

export const overlap = (one: Period, other: Period) => one.first <= other.last && other.first <= one.last;

/**
 * Whether no combination of sums reveals figures of fewer than `minGroup` people in a stretch, beyond the daily sums of
 * all people. The fact that a person used nothing counts as such a figure. Pure.
 * The sets divide all people into cells: two people share a cell if they are in the same sets, or both in none. A
 * combination gives a person on a day the weight of their cell plus the weight of the day. Suppose that it is about
 * fewer than `minGroup` people. On days on which `minGroup` people of one cell, the reference, were active, its people
 * must then have weight zero. Any other cell with `minGroup` people active on these days must have the weight of the
 * reference. If that holds for all cells, weights depend on the day alone.
 */
export function isSafe(
  { days, sets }: Stretch,
  { everybody, isActive }: Activity,
  minGroup: number,
  findCells = createCellFinder(everybody),
): boolean {
  const cells = findCells(sets);
  return cells.some((reference) => {
    const firm = days.filter((day) => hasAtLeast(minGroup, reference, (one) => isActive(one, day)));
    return cells.every(
      (cell) => cell === reference || hasAtLeast(minGroup, cell, (one) => firm.some((day) => isActive(one, day))),
    );
  });
}

function hasAtLeast(least: number, people: readonly string[], fits: (person: string) => boolean): boolean {
  let count = 0;
  for (const person of people) {
    if (fits(person)) count += 1;
    if (count >= least) return true;
  }
  return false;
}

type Sets = readonly ReadonlySet<string>[];

/** Finds the cells of people. The same sets, which most stretches of a check have, are compared with all people once. */
export function createCellFinder(everybody: Iterable<string>): (sets: Sets) => readonly (readonly string[])[] {
  const numbers = new Map<ReadonlySet<string>, number>();
  const numberOf = (set: ReadonlySet<string>) => {
    const number = numbers.get(set) ?? numbers.size;
    numbers.set(set, number);
    return number;
  };
  const found = new Map<string, string[][]>();
  return (sets) => {
    const key = sets.map(numberOf).join();
    const cells = found.get(key) ?? cellsOf(sets, everybody);
    found.set(key, cells);
    return cells;
  };
}

/** Groups people by the sets that they are in; people in no set are a group too. */
function cellsOf(sets: Sets, everybody: Iterable<string>): string[][] {
  const signatures = new Map([...everybody].map((person) => [person, '']));
  for (const [index, set] of sets.entries())
    for (const person of set) signatures.set(person, `${signatures.get(person) ?? ''},${index}`);
  return [...Map.groupBy(signatures.keys(), (person) => signatures.get(person) ?? '').values()];
}
