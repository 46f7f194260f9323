import { keysOf, type Identity } from '../../analytics/person-credits.ts';
import { dayOf, lengthOf, type Period } from '../../base/time/calendar.ts';
import type { RosterMember } from '../../platform/endpoints/roster.ts';
import type { InactivePerson } from './inactive.ts';

export interface UnusedSeat extends InactivePerson {
  lastSignInAt: Date | undefined;
}

/** Who has a seat of the platform, and who does not use it. */
export interface Seats {
  count: number;
  /** How many days were looked at. */
  days: number;
  unused: readonly UnusedSeat[];
  withoutOwnLimit: { count: number; areShown: boolean };
}

/**
 * Finds the seats without credits in a period. A seat that is younger than that, or of unknown age, had no chance yet.
 * Pure.
 */
export function findUnusedSeats(
  members: readonly RosterMember[],
  people: readonly Identity[],
  period: Period,
): { unused: UnusedSeat[]; days: number } {
  const used = new Set(people.flatMap(keysOf));
  const unused = members.filter(
    ({ email, createdAt }) => !used.has(email) && createdAt !== undefined && dayOf(createdAt) < period.first,
  );
  return {
    days: lengthOf(period),
    unused: unused
      .map(({ email, lastSignInAt }) => ({ key: email, email, userId: email, lastSignInAt }))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  };
}
