/** Sums by place, see `Identities`: eight bytes for each person instead of a hundred for an object. */
export interface Amounts {
  /** 0 if nothing was added. */
  at(place: number): number;
  add(place: number, amount: number): void;
}

const FIRST_LENGTH = 64;
const GROWTH = 1.5;

export function createAmounts(): Amounts {
  let sums = new Float64Array(0);
  return {
    at: (place) => sums[place] ?? 0,
    add: (place, amount) => {
      if (place >= sums.length) {
        const larger = new Float64Array(Math.max(FIRST_LENGTH, Math.ceil((place + 1) * GROWTH)));
        larger.set(sums);
        sums = larger;
      }
      sums[place] = (sums[place] ?? 0) + amount;
    },
  };
}

/** Sums by a name, such as a day, and by place. */
export function createNamedAmounts<Name>() {
  const byName = new Map<Name, Amounts>();
  return {
    add: (name: Name, place: number, amount: number): void => {
      let amounts = byName.get(name);
      if (!amounts) byName.set(name, (amounts = createAmounts()));
      amounts.add(place, amount);
    },
    of: (name: Name): Amounts | undefined => byName.get(name),
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
export type AmountsByDay = Uint32Array | Float64Array;

/** The people whose days are allocated together: an array for each takes twice the memory. */
const PEOPLE_A_CHUNK = 256;

/** Sums by place and day: four bytes each while the sums nearby are whole numbers below 2^32, as most credits are. */
export function createDailySums(days: number) {
  const chunks: AmountsByDay[] = [];
  return {
    add: (place: number, day: number, amount: number): void => {
      const index = Math.floor(place / PEOPLE_A_CHUNK);
      const chunk = (chunks[index] ??= new Uint32Array(PEOPLE_A_CHUNK * days));
      const position = (place % PEOPLE_A_CHUNK) * days + day;
      const sum = (chunk[position] ?? 0) + amount;
      if (chunk instanceof Float64Array || isUint32(sum)) chunk[position] = sum;
      else (chunks[index] = Float64Array.from(chunk))[position] = sum;
    },
    /** Shares the memory of the sums. */
    of: (place: number): AmountsByDay => {
      const begin = (place % PEOPLE_A_CHUNK) * days;
      return chunks[Math.floor(place / PEOPLE_A_CHUNK)]?.subarray(begin, begin + days) ?? new Uint32Array(days);
    },
  };
}

const isUint32 = (value: number) => value >>> 0 === value;
