import { inOwnTurn } from '../base/time/turns.ts';
import { type Day, type Period, daysOf } from '../base/time/calendar.ts';
import type { AnalyticsDays, FoldedDays } from './days.ts';
import { creditsOf } from './columns/people-columns.ts';
import type { DaysOptions, Part } from './day-facts.ts';
import { createIdentities, keysOf } from './person-credits.ts';

/** Sums by place, see `Identities`: four or eight bytes for each person instead of a hundred for an object. */
export interface Amounts {
  /** 0 if nothing was added. */
  at(place: number): number;
  add(place: number, amount: number): void;
  /** Adds an amount to each of these places; `NaN` is none. @param weight by which each is multiplied */
  addAll(places: Uint32Array, amounts: Uint32Array | Float64Array, weight?: number): void;
}

const FIRST_LENGTH = 64;
const GROWTH = 1.5;

export function createAmounts(): Amounts {
  let sums: Sums = new Uint32Array(0);
  const growTo = (place: number) => {
    const length = Math.max(FIRST_LENGTH, Math.ceil((place + 1) * GROWTH));
    const larger = sums instanceof Uint32Array ? new Uint32Array(length) : new Float64Array(length);
    larger.set(sums);
    return larger;
  };
  return {
    at: (place) => sums[place] ?? 0,
    add: (place, amount) => {
      if (place >= sums.length) sums = growTo(place);
      sums = addTo(sums, place, amount);
    },
    addAll: (places, amounts, weight = 1) => {
      const last = lastOf(places);
      if (last >= sums.length) sums = growTo(last);
      let begun = 0;
      if (sums instanceof Uint32Array) {
        if (amounts instanceof Uint32Array && weight === 1) begun = addWholes(sums, places, amounts);
        if (begun === places.length) return;
        sums = Float64Array.from(sums);
      }
      addDoubles(sums, places.subarray(begun), amounts.subarray(begun), weight);
    },
  };
}

// There are millions of amounts: loops over arrays of one kind take a tenth of the time.

function lastOf(places: Uint32Array): number {
  let last = -1;
  for (let row = 0; row < places.length; row += 1) {
    const place = places[row] ?? 0;
    if (place > last) last = place;
  }
  return last;
}

/** @returns the number of rows that were added before the first whose sum does not fit */
function addWholes(sums: Uint32Array, places: Uint32Array, amounts: Uint32Array): number {
  for (let row = 0; row < places.length; row += 1) {
    const place = places[row] ?? 0;
    const sum = (sums[place] ?? 0) + (amounts[row] ?? 0);
    if (sum > MAX_UINT32) return row;
    sums[place] = sum;
  }
  return places.length;
}

function addDoubles(
  sums: Float64Array,
  places: Uint32Array,
  amounts: Uint32Array | Float64Array,
  weight: number,
): void {
  for (let row = 0; row < places.length; row += 1) {
    const place = places[row] ?? 0;
    const amount = amounts[row] ?? 0;
    if (!Number.isNaN(amount)) sums[place] = (sums[place] ?? 0) + amount * weight;
  }
}

const MAX_UINT32 = 2 ** 32 - 1;

/** Four bytes each while all sums are whole numbers below 2^32, as most are. */
export type Sums = Uint32Array | Float64Array;

/** @returns the sums, in another array if the new one does not fit */
function addTo(sums: Sums, index: number, amount: number): Sums {
  const sum = (sums[index] ?? 0) + amount;
  const fitting = sums instanceof Float64Array || isUint32(sum) ? sums : Float64Array.from(sums);
  fitting[index] = sum;
  return fitting;
}

const isUint32 = (value: number) => value >>> 0 === value;

/** Sums by a name, such as a day, and by place. */
export function createNamedAmounts<Name>() {
  const byName = new Map<Name, Amounts>();
  const atName = (name: Name) => {
    const known = byName.get(name);
    if (known) return known;
    const amounts = createAmounts();
    byName.set(name, amounts);
    return amounts;
  };
  return {
    add: (name: Name, place: number, amount: number): void => atName(name).add(place, amount),
    of: (name: Name): Amounts | undefined => byName.get(name),
    /** To add to, for many sums with one name. */
    at: (name: Name): Amounts => atName(name),
    /** The sums of these places together, without those that are 0. */
    sumsOf: (places: readonly number[]): [Name, number][] =>
      [...byName]
        .map(([name, amounts]): [Name, number] => [name, sumAt(amounts, places)])
        .filter(([, sum]) => sum !== 0),
  };
}

/** The sum of one person, who may have several places. */
export function sumAt(amounts: Amounts, places: readonly number[]): number {
  let sum = 0;
  for (const place of places) sum += amounts.at(place);
  return sum;
}

/** The amounts of one person, by position of the day. */
export type AmountsByDay = Sums;

/** The people whose days are allocated together: an array for each takes twice the memory. */
const PEOPLE_A_CHUNK = 256;

/** Sums by place and day. A chunk takes eight bytes for each only if one of its own sums needs them. */
export function createDailySums(days: number) {
  const chunks: Sums[] = [];
  const chunkAt = (index: number): Sums => (chunks[index] ??= new Uint32Array(PEOPLE_A_CHUNK * days));
  return {
    /** Adds to one day of each of these places; `NaN` is none. Places that follow each other mostly share a chunk. */
    addAll: (places: Uint32Array, day: number, amounts: Uint32Array | Float64Array): void => {
      let [index, chunk] = [-1, new Uint32Array(0) as Sums];
      for (let row = 0; row < places.length; row += 1) {
        const place = places[row] ?? 0;
        const own = Math.floor(place / PEOPLE_A_CHUNK);
        if (own !== index) [index, chunk] = [own, chunkAt(own)];
        const at = (place - own * PEOPLE_A_CHUNK) * days + day;
        const fitting = addTo(chunk, at, amounts[row] || 0);
        if (fitting !== chunk) chunk = chunks[index] = fitting;
      }
    },
    /** Shares the memory of the sums. */
    of: (place: number): AmountsByDay => {
      const begin = (place % PEOPLE_A_CHUNK) * days;
      return chunks[Math.floor(place / PEOPLE_A_CHUNK)]?.subarray(begin, begin + days) ?? new Uint32Array(days);
    },
  };
}

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
): Promise<
  | { kind: 'read'; people: PeopleByDay; folded: Exclude<FoldedDays, { kind: 'unreadable' }> }
  | Extract<Part<never>, { kind: 'unreadable' }>
> {
  const all = daysOf(period);
  const positions = new Map(all.map((day, position) => [day, position]));
  const identities = createIdentities();
  const sums = createDailySums(all.length);
  const folded = await days.peopleCredits(
    period,
    (day) => {
      const position = positions.get(day.date);
      if (position === undefined) return;
      const credits = creditsOf(day);
      sums.addAll(identities.learn(day), position, credits);
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

/** Reads everyone’s credits of the days from `period`, or of more. */
export type ReadPeople = (
  period: Period,
) => Promise<{ kind: 'read'; people: PeopleByDay; period: Period } | Extract<Part<never>, { kind: 'unreadable' }>>;

/** Days that were read answer what is asked about them later, so that one message reads them once. */
export function createPeopleReader(days: Pick<AnalyticsDays, 'peopleCredits'>, options: DaysOptions): ReadPeople {
  let last: { kind: 'read'; people: PeopleByDay; period: Period } | undefined;
  return async (period) => {
    if (last && last.period.first <= period.first && period.last <= last.period.last) return last;
    const read = await readPeopleByDay(days, period, options);
    return read.kind === 'unreadable' ? read : (last = { kind: 'read', people: read.people, period });
  };
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
