import type { Day } from '../../base/time/calendar.ts';
import type { PeopleDictionary } from './people-dictionary.ts';

/** The credits of people on a day; without anybody for a published day without any use. All its users share it. */
export interface CreditsColumns {
  readonly date: Day;
  readonly people: PeopleDictionary;
  /** A place for each row. */
  readonly places: Uint32Array;
  /** The credits of each row; `NaN` if the platform left them out. */
  readonly credits: Uint32Array | Float64Array;
  /** Whether a row has no e-mail. */
  readonly lacksEmails: boolean;
}

/** Makes the columns of a day from its rows. */
export interface CreditsBuilder {
  add(userId: string, email: string | null, credits: number | null): void;
  finish(date: Day): CreditsColumns;
}

export function createCreditsBuilder(people: PeopleDictionary): CreditsBuilder {
  const places: number[] = [];
  const credits: number[] = [];
  let areUint32 = true;
  let lacksEmails = false;
  return {
    add: (userId, email, amount) => {
      const place = people.placeOf(userId, email);
      places.push(place);
      credits.push(amount ?? Number.NaN);
      areUint32 &&= amount !== null && amount >>> 0 === amount;
      lacksEmails ||= people.emailAt(place) === undefined;
    },
    finish: (date) => ({
      date,
      people,
      places: Uint32Array.from(places),
      credits: areUint32 ? Uint32Array.from(credits) : Float64Array.from(credits),
      lacksEmails,
    }),
  };
}

/** In bytes. */
export const sizeOf = ({ places, credits }: CreditsColumns): number => places.byteLength + credits.byteLength;
