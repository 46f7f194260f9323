import type { Edition } from './edition.ts';
import type { Organization } from './organization.ts';

interface LimitEntry {
  email: string;
  /** `null` removes a person's own limit (today). */
  limit: number | null;
}

export interface Limits {
  /** Own limits by e-mail in lower case. */
  readonly values: ReadonlyMap<string, number>;
  set(entries: readonly LimitEntry[]): { updated: LimitEntry[]; errors: { email: string; error: string }[] };
  /** Changes limits as a person or a directory does in the platform itself. */
  changeElsewhere(change: { everybody?: number | null; own?: Readonly<Record<string, number | null>> }): void;
  /** What the operation that reads limits shows (today). */
  shown(): { globalLimit: number | null; userLimits: { email: string; limit: number }[] };
}

/** Today, the limit for everybody at the start. */
export const LIMIT_FOR_EVERYBODY = 20_000_000;

/** Stores credit limits. E-mails are compared without regard to letter case (the simulator's own choice). */
export function createLimits({ byEmail }: Organization, edition: Edition): Limits {
  const values = new Map<string, number>();
  let everybody: number | null = edition === 'today' ? LIMIT_FOR_EVERYBODY : null;
  const isKnown = ({ email }: { email: string }) => byEmail.has(email.toLowerCase());
  const store = (email: string, limit: number | null) => {
    if (limit === null) values.delete(email.toLowerCase());
    else values.set(email.toLowerCase(), limit);
  };
  return {
    values,
    set: (entries) => {
      const updated = entries.filter(isKnown);
      for (const { email, limit } of updated) store(email, limit);
      // The document does not list the texts of `error`.
      const errors = entries
        .filter((entry) => !isKnown(entry))
        .map(({ email }) => ({ email, error: 'User not found' }));
      return { updated, errors };
    },
    changeElsewhere: ({ everybody: next, own = {} }) => {
      if (next !== undefined) everybody = next;
      for (const [email, limit] of Object.entries(own)) store(email, limit);
    },
    shown: () => ({
      globalLimit: everybody,
      userLimits: [...values].map(([email, limit]) => ({ email: byEmail.get(email)?.email ?? email, limit })),
    }),
  };
}
