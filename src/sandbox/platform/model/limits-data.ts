import type { Organization } from './organization.ts';

interface LimitEntry {
  email: string;
  limit: number;
}

export interface Limits {
  /** By e-mail in lower case. */
  readonly values: ReadonlyMap<string, number>;
  set(entries: readonly LimitEntry[]): { updated: LimitEntry[]; errors: { email: string; error: string }[] };
}

/** Stores credit limits. E-mails are compared without regard to letter case (the simulator's own choice). */
export function createLimits({ byEmail }: Organization): Limits {
  const values = new Map<string, number>();
  const isKnown = ({ email }: { email: string }) => byEmail.has(email.toLowerCase());
  return {
    values,
    set: (entries) => {
      const updated = entries.filter(isKnown);
      for (const { email, limit } of updated) values.set(email.toLowerCase(), limit);
      // The document does not list the texts of `error`.
      const errors = entries
        .filter((entry) => !isKnown(entry))
        .map(({ email }) => ({ email, error: 'User not found' }));
      return { updated, errors };
    },
  };
}
