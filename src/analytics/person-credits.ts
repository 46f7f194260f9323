import type { Day } from '../base/time/calendar.ts';
import type { PersonDayCredits } from '../platform/endpoints/analytics-rows.ts';

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
  /** Takes rows in any order. */
  learn(row: IdentityRow, date: Day): void;
  /** Returns all people after all rows, with the ids of their rows. */
  people(): IteratorObject<{ identity: Identity; userIds: readonly string[] }>;
}

export function createIdentities(): Identities {
  const emailsOf = new Map<string, DatedEmail[]>();
  const firstIdOf = new Map<string, string>();
  /** The ids of e-mails that have several. */
  const sharedBy = new Map<string, Set<string>>();
  const learnOwner = (email: string, id: string) => {
    const first = firstIdOf.get(email);
    if (first === undefined) firstIdOf.set(email, id);
    else sharedBy.set(email, (sharedBy.get(email) ?? new Set([first])).add(id));
  };
  return {
    learn: ({ user_id, user_email }, date) => {
      const knownEmails = emailsOf.get(user_id);
      const emails = knownEmails ?? [];
      if (!knownEmails) emailsOf.set(user_id, emails);
      // Most rows repeat the e-mail of the row before.
      const [first] = emails;
      if (first && user_email && first.spelling === user_email) {
        if (first.last < date) first.last = date;
        return;
      }
      const email = user_email?.trim().toLowerCase();
      if (!user_email || !email) return;
      const earlier = emails.find((each) => each.email === email);
      if (!earlier) {
        emails.push({ email, spelling: user_email, last: date });
        learnOwner(email, user_id);
      } else if (earlier.last < date) earlier.last = date;
    },
    *people() {
      const grouped = new Set<string>();
      for (const id of emailsOf.keys()) {
        if (grouped.has(id)) continue;
        const userIds = idsOfSamePerson(id, emailsOf, sharedBy);
        // Most people have one id, which does not occur again.
        if (userIds.length > 1) for (const each of userIds) grouped.add(each);
        yield { identity: identityOf(userIds, emailsOf), userIds };
      }
    },
  };
}

interface DatedEmail {
  email: string;
  /** As it first arrived. */
  spelling: string;
  last: Day;
}

type EmailsOf = ReadonlyMap<string, readonly DatedEmail[]>;

/** Returns the ids that share an e-mail, directly or through others. */
function idsOfSamePerson(id: string, emailsOf: EmailsOf, sharedBy: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const ids = new Set([id]);
  // Iterating over a set includes the elements that are added during the loop.
  for (const each of ids) {
    for (const { email } of emailsOf.get(each) ?? []) for (const other of sharedBy.get(email) ?? []) ids.add(other);
  }
  return [...ids];
}

/** The e-mail of the latest day is the one shown. */
function identityOf(userIds: readonly string[], emailsOf: EmailsOf): Identity {
  const [userId = ''] = userIds.length === 1 ? userIds : userIds.toSorted((a, b) => (a < b ? -1 : 1));
  const emails = userIds.flatMap((id) => emailsOf.get(id) ?? []);
  const [email, ...otherEmails] =
    emails.length < 2
      ? emails.map((each) => each.email)
      : new Set(emails.toSorted(latestFirst).map((each) => each.email));
  const identity = { key: email ?? `id:${userId}`, email, userId };
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
