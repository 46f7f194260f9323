import { type Day, dayNumberOf, dayOf, plusDays } from '../base/time/calendar.ts';
import type { ColumnsInUse } from './columns/columns-cache.ts';
import type { PeopleColumns } from './columns/people-columns.ts';
import { type PeopleDictionary, createPeopleDictionary } from './columns/people-dictionary.ts';
import type { PersonDayCredits } from '../platform/endpoints/analytics-rows.ts';
import type { Clock } from '../base/time/clock.ts';
import { MINUTE_MS } from '../base/time/durations.ts';
import { type StoreDeps, readStoredDays } from './reading/day-store.ts';
import { loadPeople } from './reading/load-people.ts';

export interface PersonCredits {
  /** The e-mail in lower case or, without one, an id of the platform. */
  key: string;
  /** In lower case; undefined if the platform does not know it. */
  email: string | undefined;
  /** Other e-mails of the person, in lower case; undefined if there are none. */
  otherEmails?: readonly string[] | undefined;
  /** The name in the workspace; undefined if the person is not in it, or if people are not named. */
  name?: string | undefined;
  /** One of the ids, if the platform has several for one e-mail. */
  userId: string;
  credits: number;
}

export type Identity = Pick<PersonCredits, 'key' | 'email' | 'otherEmails' | 'userId'>;

/** Rows of one person share an id, with or without e-mail, or an e-mail in any letter case under different ids. */
export interface Identities {
  /** Takes days in any order. @returns the place of each row, see `PeopleDictionary` */
  learn(day: Pick<PeopleColumns, 'date' | 'people' | 'places'>): Uint32Array;
  /** Takes a single row. @returns its place */
  learnRow(row: Pick<PersonDayCredits, 'user_id' | 'user_email'>, date: Day): number;
  /** Returns all people after all rows, with their places. */
  people(): IteratorObject<IdentifiedPerson>;
}

const FIRST_LENGTH = 64;
const GROWTH = 1.5;

/** Its places are those of the dictionary of the first day: others are translated, which happens only around an erasure. */
export function createIdentities(): Identities {
  let dictionary: PeopleDictionary | undefined;
  /** By place; 0 if it has no row. In days since 1970. */
  let lastDays = new Int32Array(FIRST_LENGTH);
  let latest = { date: '', number: 0 };
  const makeRoom = (places: number) => {
    if (places <= lastDays.length) return;
    const larger = new Int32Array(Math.ceil(places * GROWTH));
    larger.set(lastDays);
    lastDays = larger;
  };
  return {
    learn: ({ date, people, places: theirs }) => {
      const own = (dictionary ??= people);
      const places =
        people === own
          ? theirs
          : theirs.map((place) => own.placeOf(people.userIdAt(place), people.emailAt(place) ?? null));
      makeRoom(own.size);
      const days = lastDays;
      const day = dayNumberOf(date);
      for (let row = 0; row < places.length; row += 1) {
        const place = places[row] ?? 0;
        if ((days[place] ?? 0) < day) days[place] = day;
      }
      return places;
    },
    learnRow: ({ user_id: userId, user_email: email }, date) => {
      dictionary ??= createPeopleDictionary();
      const place = dictionary.placeOf(userId, email);
      // Rows of one day follow each other.
      if (latest.date !== date) latest = { date, number: dayNumberOf(date) };
      makeRoom(dictionary.size);
      if ((lastDays[place] ?? 0) < latest.number) lastDays[place] = latest.number;
      return place;
    },
    *people() {
      if (!dictionary) return;
      const known: SeenPlaces = { dictionary, lastDays };
      let groups: ReturnType<typeof groupPlaces> | undefined;
      for (const [place, lastDay] of lastDays.entries()) {
        if (lastDay === 0) continue;
        if (!dictionary.isShared(place)) {
          yield { identity: identityFor(dictionary.userIdAt(place), dictionary.emailAt(place)), places: [place] };
          continue;
        }
        groups ??= groupPlaces(known);
        const places = groups.get(place);
        if (places) yield { identity: identityOf(places, known), places };
      }
    },
  };
}

interface SeenPlaces {
  dictionary: PeopleDictionary;
  lastDays: Int32Array;
}

/** Returns the places of each person who has several or shares one, by the first of them. */
function groupPlaces({ dictionary, lastDays }: SeenPlaces): ReadonlyMap<number, readonly number[]> {
  const seen = [...lastDays.keys()].filter((place) => lastDays[place] !== 0 && dictionary.isShared(place));
  const byUserId = Map.groupBy(seen, dictionary.userIdAt);
  const byEmail = Map.groupBy(seen, dictionary.emailAt);
  const groups = new Map<number, readonly number[]>();
  const grouped = new Set<number>();
  for (const first of seen) {
    if (grouped.has(first)) continue;
    const places = new Set([first]);
    // Iterating over a set includes the elements that are added during the loop.
    for (const place of places) {
      const email = dictionary.emailAt(place);
      for (const other of byUserId.get(dictionary.userIdAt(place)) ?? []) places.add(other);
      if (email !== undefined) for (const other of byEmail.get(email) ?? []) places.add(other);
    }
    for (const place of places) grouped.add(place);
    groups.set(first, [...places]);
  }
  return groups;
}

export interface IdentifiedPerson {
  identity: Identity;
  places: readonly number[];
}

/**
 * Selects people by e-mail, which is possible only after all rows. It finds them once for several sums.
 * @param isWanted gets lower-case e-mails; by default everyone is wanted
 */
export function createSelection(identities: Identities, isWanted?: (key: string) => boolean) {
  let selected: readonly IdentifiedPerson[] | undefined;
  function* collect() {
    const people: IdentifiedPerson[] = [];
    for (const person of identities.people()) {
      if (isWanted && !keysOf(person.identity).some(isWanted)) continue;
      people.push(person);
      yield person;
    }
    selected = people;
  }
  return {
    people: (): IteratorObject<IdentifiedPerson> => selected?.values() ?? collect(),
    /** Call it with each row. */
    forget: (): void => {
      selected = undefined;
    },
  };
}

export function mostCreditsFirst<Someone extends Pick<PersonCredits, 'key' | 'credits'>>(
  people: Iterable<Someone>,
): Someone[] {
  return [...people].toSorted((a, b) => b.credits - a.credits || (a.key < b.key ? -1 : 1));
}

const identityFor = (userId: string, email: string | undefined): Identity => ({
  key: email ?? `id:${userId}`,
  email,
  userId,
});

/** The e-mail of the latest day is the one shown. */
function identityOf(places: readonly number[], { dictionary, lastDays }: SeenPlaces): Identity {
  const [userId = ''] = places.map(dictionary.userIdAt).toSorted((a, b) => (a < b ? -1 : 1));
  const dated = places.flatMap((place) => {
    const email = dictionary.emailAt(place);
    return email === undefined ? [] : [{ email, last: lastDays[place] ?? 0 }];
  });
  dated.sort((a, b) => b.last - a.last || (a.email < b.email ? -1 : 1));
  const [email, ...otherEmails] = new Set(dated.map((each) => each.email));
  const identity = identityFor(userId, email);
  return otherEmails.length === 0 ? identity : { ...identity, otherEmails };
}

/** Returns all keys under which a person can be requested. */
export function keysOf({ key, otherEmails = [] }: Pick<PersonCredits, 'key' | 'otherEmails'>): readonly string[] {
  return otherEmails.length === 0 ? [key] : [key, ...otherEmails];
}

export function isOneOf(person: Pick<PersonCredits, 'key' | 'otherEmails'>, keys: ReadonlySet<string>): boolean {
  return keysOf(person).some((key) => keys.has(key));
}

/** The platform leaves out an e-mail on single days. With older days, each id that never has one would take a second. */
const SEARCHED_DAYS = 35;
const KEPT_MS = 10 * MINUTE_MS;

export interface LastEmails {
  /** Returns the same day, with the last e-mails that the store knows in place of missing ones. */
  complete(day: PeopleColumns): Promise<PeopleColumns>;
}

/**
 * Rows of one answer share an e-mail if one of its days has it. An answer about a single day may have none, so the stored
 * days are searched, from the latest one on, and again after some minutes, because other answers store more of them.
 */
export function createLastEmails(
  deps: StoreDeps & { clock: Clock; columnsInUse: () => Promise<ColumnsInUse> },
): LastEmails {
  const { db, clock } = deps;
  let known = new Map<string, string | null>();
  let knownSince = clock.now();
  const search = async (wanted: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> => {
    const found = new Map<string, string>();
    const today = dayOf(clock.now());
    const period = { first: plusDays(today, -SEARCHED_DAYS), last: today };
    const days = [...(await readStoredDays(db, 'tokens', period)).values()];
    const { people } = await deps.columnsInUse();
    for (const day of days.toSorted((one, other) => (one.day < other.day ? 1 : -1))) {
      const columns = (await loadPeople(deps, 'tokens', [day], people)).get(day.day);
      for (const place of columns?.places ?? []) {
        const [id, email] = [people.userIdAt(place), people.spellingAt(place)];
        if (email !== null && wanted.has(id) && !found.has(id)) found.set(id, email);
      }
      if (found.size === wanted.size) break;
    }
    return found;
  };
  const emailsOf = async (ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> => {
    if (clock.now().getTime() - knownSince.getTime() >= KEPT_MS) {
      known = new Map();
      knownSince = clock.now();
    }
    const wanted = new Set(ids.filter((id) => !known.has(id)));
    if (wanted.size > 0) {
      const found = await search(wanted);
      for (const id of wanted) known.set(id, found.get(id) ?? null);
    }
    return known;
  };
  return {
    complete: async (day) => {
      if (!day.lacksEmails) return day;
      const { people, places } = day;
      const ids = [...places].filter((place) => people.emailAt(place) === undefined).map(people.userIdAt);
      const emails = await emailsOf(ids);
      const completed = places.map((place) => {
        if (people.emailAt(place) !== undefined) return place;
        const id = people.userIdAt(place);
        return people.placeOf(id, emails.get(id) ?? null);
      });
      return { ...day, places: completed };
    },
  };
}
