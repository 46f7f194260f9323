/**
 * What Quartermaster knows of the credit limit of a person, by one e-mail. Callers switch over every kind, so that a
 * further kind compiles only after each of them handles it.
 */
export type KnownLimit =
  /** `withdrawnAt`: it was declared until then, and may still be in effect. */
  | { kind: 'none'; withdrawnAt?: Date | undefined }
  /** It was set before Quartermaster came: an admin declared it. It is never sent, and no policy replaces it. */
  | { kind: 'declared'; value: number; by: string; at: Date; isForEverybody: boolean }
  | SetLimit
  | ShownLimit
  /** The platform shows that there is no limit. */
  | { kind: 'unlimited'; at: Date; isCurrent: boolean }
  /** The platform shows several limits for the person, or one that cannot be read. */
  | { kind: 'unclear'; at: Date; isCurrent: boolean };

export type ExistingLimit = Exclude<KnownLimit, { kind: 'none' | 'unlimited' | 'unclear' }>;

/** Undefined if the limit is unknown, or if there is none. */
export function existingLimit(limit: KnownLimit | undefined): ExistingLimit | undefined {
  switch (limit?.kind) {
    case undefined:
    case 'none':
    case 'unlimited':
    case 'unclear':
      return undefined;
    case 'declared':
    case 'set':
    case 'shown':
      return limit;
    default:
      return limit satisfies never;
  }
}

interface LimitInEffect {
  /** The limit in effect. */
  value: number;
  /** The limit without a temporary raise, equal to `value` if there is none. */
  permanent: number;
  /** When the temporary raise ends; past if its end was not sent. Undefined if the limit is permanent. */
  until: Date | undefined;
  at: Date;
}

/** The platform confirmed it. */
export interface SetLimit extends LimitInEffect {
  kind: 'set';
  requestId: string;
}

/** The platform showed it at `at`. */
export interface ShownLimit extends LimitInEffect {
  kind: 'shown';
  /** It is in effect because the person has no limit of their own. */
  isForEverybody: boolean;
  /** Whether the person has no limit of their own without the temporary raise. */
  isWithoutOwn: boolean;
  /** Whether the platform still shows limits; else the value is the last that it showed. */
  isCurrent: boolean;
}

/** The limit in effect; undefined if it is not known, or if there is none. */
export const amountOf = (limit: KnownLimit): number | undefined => existingLimit(limit)?.value;

/** The limit without a temporary raise, if the platform showed or confirmed it; undefined otherwise. */
export function permanentAmountOf(limit: KnownLimit): number | undefined {
  switch (limit.kind) {
    case 'none':
    case 'declared':
    case 'unlimited':
    case 'unclear':
      return undefined;
    case 'set':
    case 'shown':
      return limit.permanent;
    default:
      return limit satisfies never;
  }
}
