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

/** Collects on which days people were active, by place, see `Identities`: about a hundred bytes for each person. */
export function createActiveDays() {
  /** Days are numbered in the order of their first rows. */
  const numbers = new Map<Day, number>();
  const levelsAt: (LevelDays[] | undefined)[] = [];
  const levelsOf = (places: Iterable<number>) => [...places].flatMap((place) => levelsAt[place] ?? []);
  return {
    add: (place: number, level: string, date: Day): void => {
      const number = numbers.get(date) ?? numbers.size;
      numbers.set(date, number);
      const levels = (levelsAt[place] ??= []);
      const used = levels.find((each) => each.level === level);
      if (!used) levelsAt[place] = [...levels, { level, days: addDay([], number), last: date }];
      else {
        used.days = addDay(used.days, number);
        if (date > used.last) used.last = date;
      }
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

const BITS = 30;

/** A longer list has exactly the length that it needs; one that grows by itself reserves more. */
function addDay(days: number[], number: number): number[] {
  const index = Math.floor(number / BITS);
  const longEnough = index < days.length ? days : Array.from({ length: index + 1 }, (_, at) => days[at] ?? 0);
  longEnough[index] = (longEnough[index] ?? 0) | (1 << (number % BITS));
  return longEnough;
}

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
