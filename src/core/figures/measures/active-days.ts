import { createAmounts, type Amounts } from '../../analytics/amounts.ts';
import type { Day } from '../../base/time/calendar.ts';

/** Days as bits, 30 to a number. */
type DaySet = number[];

/** The active days of a person with one level; level `''` if the platform left it out. */
interface LevelDays {
  level: string;
  days: DaySet;
  last: Day;
}

export interface ActiveDays {
  /** A day counts once, however many rows it has. */
  activeDays: number;
  lastActiveDay: Day | undefined;
  /** The level with most active days; among equals, the one used last. */
  delegationLevel: string | undefined;
}

const BITS = 30;

/** Collects on which days people were active, by place, see `Identities`: two numbers for each person and level. */
export function createActiveDays() {
  /** Days are numbered in the order of their first rows. */
  const numbers = new Map<Day, number>();
  const days: Day[] = [];
  /** By level: the bits of days, one sum for each 30 days; and the number of the last day plus one. */
  const byLevel = new Map<string, { words: Amounts[]; last: Amounts }>();
  const numberOf = (date: Day) => {
    const number = numbers.get(date) ?? days.push(date) - 1;
    numbers.set(date, number);
    return number;
  };
  const levelsOf = (places: Iterable<number>): LevelDays[] =>
    [...places].flatMap((place) =>
      [...byLevel].flatMap(([level, { words, last }]) => {
        const lastDay = days[last.at(place) - 1];
        return lastDay === undefined ? [] : [{ level, days: words.map((word) => word.at(place)), last: lastDay }];
      }),
    );
  return {
    add: (place: number, level: string, date: Day): void => {
      let own = byLevel.get(level);
      if (!own) byLevel.set(level, (own = { words: [], last: createAmounts() }));
      const number = numberOf(date);
      while (own.words.length * BITS <= number) own.words.push(createAmounts());
      const word = own.words[Math.floor(number / BITS)];
      const bit = 1 << (number % BITS);
      if (word && (word.at(place) & bit) === 0) word.add(place, bit);
      const before = own.last.at(place);
      if (date > (days[before - 1] ?? '')) own.last.add(place, number + 1 - before);
    },
    /** @param places of one person */
    of: (places: readonly number[]): ActiveDays => {
      const levels = levelsOf(places);
      return {
        activeDays: countDays(unionOf(levels)),
        lastActiveDay: levels.reduce<Day | undefined>((latest, { last }) => latestOf(latest, last), undefined),
        delegationLevel: usualLevel(levels),
      };
    },
    /** Counts the days on which any of these was active. */
    countDays: (places: Iterable<number>): number => countDays(unionOf(levelsOf(places))),
  };
}

const latestOf = (latest: Day | undefined, day: Day): Day => (latest === undefined || day > latest ? day : latest);

function unionOf(levels: readonly LevelDays[]): DaySet {
  const [only] = levels;
  if (only && levels.length === 1) return only.days;
  const union: number[] = [];
  for (const { days } of levels) for (const [at, bits] of days.entries()) union[at] = (union[at] ?? 0) | bits;
  return union;
}

/** Several ids of a person may have the same level. */
function usualLevel(levels: readonly LevelDays[]): string | undefined {
  const named = levels.filter(({ level }) => level !== '');
  const [usual] = [...Map.groupBy(named, ({ level }) => level)]
    .map(([level, same]) => ({
      level,
      days: countDays(unionOf(same)),
      last: same.map(({ last }) => last).reduce(latestOf),
    }))
    .toSorted((a, b) => b.days - a.days || (a.last < b.last ? 1 : a.last > b.last ? -1 : a.level < b.level ? -1 : 1));
  return usual?.level;
}

function countDays(set: DaySet): number {
  let count = 0;
  for (let bits of set) for (; bits !== 0; bits &= bits - 1) count += 1;
  return count;
}
