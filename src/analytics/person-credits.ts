import type { Day } from '../calendar.ts';

export interface PersonCredits {
  /** Their e-mail in lower case; without one, the platform's id. */
  key: string;
  /** In lower case. Missing: the platform does not know their e-mail. */
  email: string | undefined;
  /** Under which they were known besides, in lower case. Missing: none. */
  otherEmails?: readonly string[] | undefined;
  /** One of them, if the platform has several for one e-mail. */
  userId: string;
  credits: number;
}

/** Who somebody is, by all that was read of them. */
export type Identity = Pick<PersonCredits, 'key' | 'email' | 'otherEmails' | 'userId'>;

/** What a row says of who somebody is. */
export interface IdentityRow {
  user_id: string;
  user_email: string | null;
}

/**
 * Finds out which rows are of the same person: those with one id, whether or not each has an e-mail, and those of several ids
 * with one e-mail in any letter case.
 */
export interface Identities {
  /** In any order of rows. */
  learn(row: IdentityRow, date: Day): void;
  /** Everybody, after all rows: who they are, and the ids of their rows. */
  people(): { identity: Identity; userIds: readonly string[] }[];
}

export function createIdentities(): Identities {
  /** By id, each e-mail with the last day of it. */
  const emailsOf = new Map<string, Map<string, Day>>();
  return {
    learn: ({ user_id, user_email }, date) => {
      const known = emailsOf.get(user_id);
      const emails = known ?? new Map<string, Day>();
      if (!known) emailsOf.set(user_id, emails);
      const email = user_email?.trim().toLowerCase();
      if (email && (emails.get(email) ?? '') < date) emails.set(email, date);
    },
    people: () => groupIds(emailsOf).map((userIds) => ({ identity: identityOf(userIds, emailsOf), userIds })),
  };
}

type EmailsOf = ReadonlyMap<string, ReadonlyMap<string, Day>>;

/** Ids that share an e-mail, directly or by way of others. */
function groupIds(emailsOf: EmailsOf): string[][] {
  const idsOf = new Map<string, string[]>();
  for (const [id, emails] of emailsOf) {
    for (const email of emails.keys()) {
      const ids = idsOf.get(email);
      if (ids) ids.push(id);
      else idsOf.set(email, [id]);
    }
  }
  const grouped = new Set<string>();
  const groups: string[][] = [];
  for (const id of emailsOf.keys()) {
    if (grouped.has(id)) continue;
    grouped.add(id);
    const group = [id];
    for (const each of group) {
      for (const email of emailsOf.get(each)?.keys() ?? []) {
        for (const other of idsOf.get(email) ?? []) {
          if (grouped.has(other)) continue;
          grouped.add(other);
          group.push(other);
        }
        // Each of its ids is in the group now: they are not walked through again for the next of them.
        idsOf.delete(email);
      }
    }
    groups.push(group);
  }
  return groups;
}

/** The e-mail of the latest day is the one that is shown. */
function identityOf(userIds: readonly string[], emailsOf: EmailsOf): Identity {
  const lastDays = new Map<string, Day>();
  for (const id of userIds) {
    for (const [email, day] of emailsOf.get(id) ?? []) {
      if ((lastDays.get(email) ?? '') < day) lastDays.set(email, day);
    }
  }
  const [email, ...otherEmails] = [...lastDays]
    .toSorted(([a, dayOfA], [b, dayOfB]) => (dayOfA === dayOfB ? (a < b ? -1 : 1) : dayOfA > dayOfB ? -1 : 1))
    .map(([name]) => name);
  const userId = userIds.reduce((least, id) => (id < least ? id : least));
  const identity = { key: email ?? `id:${userId}`, email, userId };
  return otherEmails.length === 0 ? identity : { ...identity, otherEmails };
}

/** Under which keys somebody may be asked for. */
export function keysOf({ key, otherEmails = [] }: Pick<PersonCredits, 'key' | 'otherEmails'>): readonly string[] {
  return otherEmails.length === 0 ? [key] : [key, ...otherEmails];
}

/** Is anybody of these meant? */
export function isOneOf(person: Pick<PersonCredits, 'key' | 'otherEmails'>, keys: ReadonlySet<string>): boolean {
  return keysOf(person).some((key) => keys.has(key));
}
