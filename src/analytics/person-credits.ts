import type { TokensRow } from '../platform/analytics-rows.ts';

export interface PersonCredits {
  /** The same person under the same e-mail in any letter case; without an e-mail, by the platform's id. */
  key: string;
  /** Missing: the platform does not know their e-mail. */
  email: string | undefined;
  userId: string;
  credits: number;
}

/**
 * What makes two rows the same person.
 *
 * @example personKey({ user_id: 'u1', user_email: 'Mia@Acme.example' }) // 'mia@acme.example'
 */
export function personKey(row: { user_id: string; user_email: string | null }): string {
  return row.user_email?.trim().toLowerCase() || `id:${row.user_id}`;
}

/** Adds up each person's credits, most first. */
export function creditsOfPeople(rows: readonly TokensRow[]): PersonCredits[] {
  const people = new Map<string, PersonCredits>();
  for (const row of rows) {
    for (const person of row.by_user) {
      const key = personKey(person);
      const known = people.get(key);
      if (known) known.credits += person.billable_tokens;
      else {
        people.set(key, {
          key,
          email: person.user_email?.trim() || undefined,
          userId: person.user_id,
          credits: person.billable_tokens,
        });
      }
    }
  }
  return [...people.values()].toSorted((a, b) => b.credits - a.credits || a.key.localeCompare(b.key));
}
