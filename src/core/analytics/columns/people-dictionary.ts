/** See the README of this folder. E-mails are in lower case; an empty one counts as none. */
export interface PeopleDictionary {
  /** The number of places. */
  readonly size: number;
  /** Whether there is a place without an e-mail. */
  readonly lacksEmails: boolean;
  /** Returns the place of an id with this e-mail, in any letter case; a new pair gets the next place. */
  placeOf(userId: string, email: string | null): number;
  userIdAt: (place: number) => string;
  emailAt: (place: number) => string | undefined;
  /** The e-mail as it was first written here; null without one. */
  spellingAt: (place: number) => string | null;
  /** Whether the id has other places, or the e-mail other ids: then only a fold knows which places are one person. */
  isShared(place: number): boolean;
  /** Remembers under which number the store knows a place; a place may have several. */
  link(place: number, storedId: number): void;
  storedIdAt: (place: number) => number | undefined;
  /** Returns the places of ids of the store, and the first id without one. */
  placesOf(storedIds: Uint32Array): { places: Uint32Array; unknown: number | undefined };
  /** Forgets all numbers of the store. */
  unlink(): void;
}

/** Holds each id and e-mail once, and no object for each, so that 100,000 people fit in 20 MB. */
export function createPeopleDictionary(): PeopleDictionary {
  const userIds: string[] = [];
  const emails: (string | undefined)[] = [];
  /** Of those that are not in lower case. */
  const spellings = new Map<number, string>();
  let lacksEmails = false;
  let storedIds: number[] = [];
  let placesByStoredId: number[] = [];
  const firstPlaces = { byUserId: new Map<string, number>(), byEmail: new Map<string, number>() };
  /** The next place of the same id; most have one. */
  const nextPlaces = new Map<number, number>();
  const shared = new Set<number>();
  /** @returns the place, or the last one of the id */
  const search = (first: number, email: string | undefined) => {
    let place = first;
    while (emails[place] !== email) {
      const next = nextPlaces.get(place);
      if (next === undefined) return { isFound: false, place };
      place = next;
    }
    return { isFound: true, place };
  };
  const add = (userId: string, email: string | undefined, spelling: string | null): number => {
    const place = userIds.push(userId) - 1;
    emails.push(email);
    lacksEmails ||= email === undefined;
    if (email !== undefined && spelling !== null && spelling !== email) spellings.set(place, spelling);
    const first = email === undefined ? undefined : firstPlaces.byEmail.get(email);
    if (first !== undefined) shared.add(first).add(place);
    else if (email !== undefined) firstPlaces.byEmail.set(email, place);
    return place;
  };
  return {
    get size() {
      return userIds.length;
    },
    get lacksEmails() {
      return lacksEmails;
    },
    placeOf: (userId, spelling) => {
      const first = firstPlaces.byUserId.get(userId);
      // Most rows repeat the spelling of the row before.
      if (first !== undefined && spelling !== null && emails[first] === spelling) return first;
      const email = spelling?.trim().toLowerCase() || undefined;
      if (first === undefined) {
        const place = add(userId, email, spelling);
        firstPlaces.byUserId.set(userId, place);
        return place;
      }
      const { isFound, place: known } = search(first, email);
      if (isFound) return known;
      const place = add(userId, email, spelling);
      nextPlaces.set(known, place);
      shared.add(first).add(known).add(place);
      return place;
    },
    userIdAt: (place) => userIds[place] ?? '',
    emailAt: (place) => emails[place],
    spellingAt: (place) => spellings.get(place) ?? emails[place] ?? null,
    isShared: (place) => shared.has(place),
    link: (place, storedId) => {
      storedIds[place] = storedId;
      placesByStoredId[storedId] = place;
    },
    storedIdAt: (place) => storedIds[place],
    placesOf: (ids) => {
      const places = new Uint32Array(ids.length);
      for (let row = 0; row < ids.length; row += 1) {
        const place = placesByStoredId[ids[row] ?? 0];
        if (place === undefined) return { places, unknown: ids[row] };
        places[row] = place;
      }
      return { places, unknown: undefined };
    },
    unlink: () => {
      storedIds = [];
      placesByStoredId = [];
    },
  };
}
