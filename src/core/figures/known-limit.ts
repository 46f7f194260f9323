/**
 * What Quartermaster knows of the credit limit of a person, by one e-mail. Callers switch over every kind, so that a
 * further kind compiles only after each of them handles it.
 */
export type KnownLimit =
  /** `withdrawnAt`: it was declared until then, and may still be in effect. */
  | { kind: 'none'; withdrawnAt?: Date | undefined }
  /** It was set before Quartermaster came: an admin declared it. It is never sent, and no policy replaces it. */
  | { kind: 'declared'; value: number; by: string; at: Date; isForEverybody: boolean }
  | SetLimit;

export type ExistingLimit = Exclude<KnownLimit, { kind: 'none' }>;

/** The platform confirmed it. */
export interface SetLimit {
  kind: 'set';
  /** The limit in effect. */
  value: number;
  /** The limit without a temporary raise, equal to `value` if there is none. */
  permanent: number;
  /** When the temporary raise ends; past if its end was not sent. Undefined if the limit is permanent. */
  until: Date | undefined;
  at: Date;
  requestId: string;
}

/** The limit in effect; undefined if it is not known. */
export function amountOf(limit: KnownLimit): number | undefined {
  switch (limit.kind) {
    case 'none':
      return undefined;
    case 'declared':
    case 'set':
      return limit.value;
    default:
      return limit satisfies never;
  }
}

/** The limit to which a raise returns, as far as Quartermaster set it; undefined otherwise. */
export function permanentAmountOf(limit: KnownLimit): number | undefined {
  switch (limit.kind) {
    case 'none':
    case 'declared':
      return undefined;
    case 'set':
      return limit.permanent;
    default:
      return limit satisfies never;
  }
}
