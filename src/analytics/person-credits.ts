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
