import { keysOf, type Identity } from '../../analytics/person-credits.ts';

export interface InactivePerson extends Identity {
  name?: string | undefined;
}

/** The people who are known from earlier days or from a credit limit, and those of them without activity. */
export interface Inactivity {
  knownCount: number;
  inactive: readonly InactivePerson[];
}

export interface KnownPeople {
  withRows: readonly InactivePerson[];
  /** E-mails in lower case. */
  withLimit: readonly string[];
}

/** Finds the people without activity in a period. Pure. */
export function findInactive(
  { withRows, withLimit }: KnownPeople,
  people: readonly (Identity & { activeDays: number })[],
): Inactivity {
  const active = people.filter(({ activeDays }) => activeDays > 0);
  const activeKeys = new Set(active.flatMap(keysOf));
  // The platform leaves out an e-mail on single days: the person is then known by the id.
  const activeIds = new Set(active.map(({ userId }) => userId));
  const inactive = withRows.filter(
    (person) => !activeIds.has(person.userId) && !keysOf(person).some((key) => activeKeys.has(key)),
  );
  const keysWithRows = new Set([...withRows, ...active].flatMap(keysOf));
  const others = [...new Set(withLimit)].filter((email) => !keysWithRows.has(email));
  const all = [...inactive, ...others.map((email) => ({ key: email, email, userId: email }))];
  return {
    knownCount: active.length + all.length,
    inactive: all.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  };
}
