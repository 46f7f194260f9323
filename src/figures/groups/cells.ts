import { daysOf, plusDays, type Day, type Period } from '../../base/time/calendar.ts';

/**
 * The sum of what some people used, shown once: over all of a period, or for each of its days. What everybody used together
 * counts as shown for every day.
 */
export interface ShownSum {
  /** By a key of each person. */
  people: ReadonlySet<string>;
  period: Period;
  isByDay: boolean;
}

export interface Activity {
  /** Everybody whom the platform knew lately. */
  everybody: Iterable<string>;
  isActive: (person: string, day: Day) => boolean;
}

/** Days that no sum tells apart, and the sets of people of which there are sums over all of them. */
export interface Stretch {
  days: readonly Day[];
  sets: readonly ReadonlySet<string>[];
}

/**
 * The stretches into which sums cut the days: those that a new sum changes. Pure.
 *
 * @param shown all sums that share a day with `wanted`, and all that share a day with those
 */
export function stretchesOf(shown: readonly ShownSum[], wanted: readonly ShownSum[]): Stretch[] {
  const all = [...shown, ...wanted];
  const touched = all.filter(({ period }) => wanted.some((one) => overlap(one.period, period)));
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
 * Whether no combination of sums tells of fewer than `minGroup` people in a stretch, besides what the sums of everybody tell by
 * themselves; that somebody used nothing is told by one too. Pure.
 *
 * The sets cut everybody into cells: people who are in the same sets, and those in none. A combination gives all people of a cell
 * the same weight, up to a weight of each day for everybody. Say that it is about fewer people than `minGroup`. On days on which
 * so many people of one cell, the reference, used something, their weight is zero. Each other cell of which so many people used
 * something on these days must then have the weight of the reference: so the weights are those of the days alone.
 */
export function isSafe({ days, sets }: Stretch, { everybody, isActive }: Activity, minGroup: number): boolean {
  const cells = cellsOf(sets, everybody);
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

/** People who are in the same sets, and those who are in none. */
function cellsOf(sets: readonly ReadonlySet<string>[], everybody: Iterable<string>): string[][] {
  const signatures = new Map([...everybody].map((person) => [person, '']));
  for (const [index, set] of sets.entries())
    for (const person of set) signatures.set(person, `${signatures.get(person) ?? ''},${index}`);
  return [...Map.groupBy(signatures.keys(), (person) => signatures.get(person) ?? '').values()];
}
