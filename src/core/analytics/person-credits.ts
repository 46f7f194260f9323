import { type Day, dayOf, plusDays } from '../base/time/calendar.ts';
import type { PersonDayCredits } from '../platform/endpoints/analytics-rows.ts';
import type { Clock } from '../base/time/clock.ts';
import { MINUTE_MS } from '../base/time/durations.ts';
import { eachInTurns } from '../base/time/turns.ts';
import type { Database } from '../store/tables.ts';
import { loadParts, readStoredDays } from './reading/day-store.ts';
import { readPeople } from './reading/resources.ts';

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

type IdentityRow = Pick<PersonDayCredits, 'user_id' | 'user_email'>;

/** Rows of one person share an id, with or without e-mail, or an e-mail in any letter case under different ids. */
export interface Identities {
  /** Takes rows in any order. @returns the place of the row’s id: 0, 1, 2 … in the order of their first rows */
  learn(row: IdentityRow, date: Day): number;
  /** Returns all people after all rows, with the places of their ids. */
  people(): IteratorObject<IdentifiedPerson>;
}

/** Holds each id and e-mail once, and no object for each, so that 100,000 people fit in 15 MB. */
export function createIdentities(): Identities {
  const placeOf = new Map<string, number>();
  const ids: string[] = [];
  /** By place: the first e-mail of the id, which most have alone, and its latest day. */
  const firstEmails: (string | undefined)[] = [];
  const lastDays: (Day | undefined)[] = [];
  /** By place: the first e-mail as it arrived, if it is not in lower case. */
  const spellings = new Map<number, string>();
  const furtherEmails = new Map<number, DatedEmail[]>();
  const emailsAt = (place: number): readonly DatedEmail[] => {
    const [email, last] = [firstEmails[place], lastDays[place]];
    if (email === undefined || last === undefined) return [];
    return [{ email, last }, ...(furtherEmails.get(place) ?? [])];
  };
  const isFirstEmail = (place: number, spelling: string) =>
    firstEmails[place] === spelling || spellings.get(place) === spelling;
  const learnDay = (place: number, date: Day) => {
    if ((lastDays[place] ?? '') < date) lastDays[place] = date;
  };
  const learnEmail = (place: number, spelling: string, date: Day) => {
    const email = spelling.trim().toLowerCase();
    if (email === '') return;
    const first = firstEmails[place];
    if (first === undefined) {
      firstEmails[place] = email === spelling ? spelling : email;
      if (email !== spelling) spellings.set(place, spelling);
    }
    if (first === undefined || first === email) {
      learnDay(place, date);
      return;
    }
    const further = furtherEmails.get(place) ?? [];
    const earlier = further.find((each) => each.email === email);
    if (!earlier) furtherEmails.set(place, [...further, { email, last: date }]);
    else if (earlier.last < date) earlier.last = date;
  };
  const addId = (id: string) => {
    const place = ids.push(id) - 1;
    placeOf.set(id, place);
    firstEmails.push(undefined);
    lastDays.push(undefined);
    return place;
  };
  return {
    learn: ({ user_id, user_email }, date) => {
      const place = placeOf.get(user_id) ?? addId(user_id);
      // Most rows repeat the e-mail of the row before.
      if (user_email && isFirstEmail(place, user_email)) learnDay(place, date);
      else if (user_email) learnEmail(place, user_email, date);
      return place;
    },
    *people() {
      const sharing = placesThatShare(firstEmails, furtherEmails);
      const grouped = new Set<number>();
      for (const place of ids.keys()) {
        if (grouped.has(place)) continue;
        const email = firstEmails[place];
        // Most people have one id and one e-mail.
        if (!furtherEmails.has(place) && (email === undefined || !sharing.has(email))) {
          yield { identity: identityFor(ids[place] ?? '', email), places: [place] };
          continue;
        }
        const places = placesOfSamePerson(place, emailsAt, sharing);
        for (const each of places) grouped.add(each);
        yield { identity: identityOf(places, ids, emailsAt), places };
      }
    },
  };
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

interface DatedEmail {
  email: string;
  last: Day;
}

type EmailsAt = (place: number) => readonly DatedEmail[];

/** Returns the places of each e-mail that several ids have. */
function placesThatShare(
  firstEmails: readonly (string | undefined)[],
  furtherEmails: ReadonlyMap<number, readonly DatedEmail[]>,
): ReadonlyMap<string, readonly number[]> {
  const firstPlaces = new Map<string, number>();
  const sharing = new Map<string, number[]>();
  const note = (email: string, place: number) => {
    const first = firstPlaces.get(email);
    if (first === undefined) firstPlaces.set(email, place);
    else sharing.set(email, [...(sharing.get(email) ?? [first]), place]);
  };
  firstEmails.forEach((email, place) => {
    if (email !== undefined) note(email, place);
  });
  for (const [place, emails] of furtherEmails) for (const { email } of emails) note(email, place);
  return sharing;
}

/** Returns the places of the ids that share an e-mail, directly or through others. */
function placesOfSamePerson(
  place: number,
  emailsAt: EmailsAt,
  sharing: ReadonlyMap<string, readonly number[]>,
): number[] {
  const places = new Set([place]);
  // Iterating over a set includes the elements that are added during the loop.
  for (const each of places) {
    for (const { email } of emailsAt(each)) for (const other of sharing.get(email) ?? []) places.add(other);
  }
  return [...places];
}

const identityFor = (userId: string, email: string | undefined): Identity => ({
  key: email ?? `id:${userId}`,
  email,
  userId,
});

/** The e-mail of the latest day is the one shown. */
function identityOf(places: readonly number[], ids: readonly string[], emailsAt: EmailsAt): Identity {
  const [userId = ''] = places.flatMap((place) => ids[place] ?? []).toSorted((a, b) => (a < b ? -1 : 1));
  const emails = places.flatMap((place) => emailsAt(place));
  const [email, ...otherEmails] = new Set(emails.toSorted(latestFirst).map((each) => each.email));
  const identity = identityFor(userId, email);
  return otherEmails.length === 0 ? identity : { ...identity, otherEmails };
}

function latestFirst(a: DatedEmail, b: DatedEmail): number {
  if (a.last !== b.last) return a.last > b.last ? -1 : 1;
  return a.email < b.email ? -1 : 1;
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
  /** Returns the same rows, with the last e-mail that the store knows in place of a missing one. */
  complete<Row extends { user_id: string; user_email: string | null }>(rows: readonly Row[]): Promise<readonly Row[]>;
}

/**
 * Rows of one answer share an e-mail if one of its days has it. An answer about a single day may have none, so the stored
 * days are searched, from the latest one on, and again after some minutes, because other answers store more of them.
 */
export function createLastEmails({ db, clock }: { db: Database; clock: Clock }): LastEmails {
  let known = new Map<string, string | null>();
  let knownSince = clock.now();
  const search = async (wanted: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> => {
    const found = new Map<string, string>();
    const today = dayOf(clock.now());
    const period = { first: plusDays(today, -SEARCHED_DAYS), last: today };
    const days: Day[] = [...(await readStoredDays(db, 'tokens', period)).keys()].toSorted().toReversed();
    for (const day of days) {
      const parts = (await loadParts(db, 'tokens', [day], 'all')).get(day) ?? [];
      for await (const [index, part] of eachInTurns([...parts.entries()].slice(1)))
        for (const { user_id: id, user_email: email } of readPeople.tokens(part, index))
          if (email !== null && email !== '' && wanted.has(id) && !found.has(id)) found.set(id, email);
      if (found.size === wanted.size) break;
    }
    return found;
  };
  return {
    complete: async (rows) => {
      const missing = rows.filter(({ user_email: email }) => !email);
      if (missing.length === 0) return rows;
      if (clock.now().getTime() - knownSince.getTime() >= KEPT_MS) {
        known = new Map();
        knownSince = clock.now();
      }
      const wanted = new Set(missing.map(({ user_id: id }) => id).filter((id) => !known.has(id)));
      if (wanted.size > 0) {
        const found = await search(wanted);
        for (const id of wanted) known.set(id, found.get(id) ?? null);
      }
      return rows.map((row) => {
        const email = row.user_email ? null : known.get(row.user_id);
        return email ? { ...row, user_email: email } : row;
      });
    },
  };
}
