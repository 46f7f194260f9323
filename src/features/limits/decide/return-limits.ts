import type { KnownLimit } from '../../../core/figures/known-limit.ts';
import type { LimitPerson } from '../core/limit-tables.ts';

export interface ReturnBounds {
  limit: KnownLimit;
  /** Typed by the requester; not used if the limit was set here. */
  typed: number | undefined;
  amount: number;
}

/** Prefers a limit that was set here, then the typed one, then a declared one; never above the new limit. */
export function returnOf({ limit, typed, amount }: ReturnBounds): number | undefined {
  const returnTo = returnBefore(limit, typed);
  return returnTo === undefined ? undefined : Math.min(returnTo, amount);
}

function returnBefore(limit: KnownLimit, typed: number | undefined): number | undefined {
  switch (limit.kind) {
    case 'none':
    case 'unlimited':
    case 'unclear':
      return typed;
    case 'declared':
      return typed ?? limit.value;
    case 'set':
    case 'shown':
      return limit.permanent;
    default:
      return limit satisfies never;
  }
}

/** Returns the lowest of the value shown, the approved one, the ledger’s and the reviewer’s. */
export function approvedReturn(
  { returnValue: storedReturn }: Pick<LimitPerson, 'returnValue'>,
  approved: number,
  bounds: { permanentLimit: number | undefined; reviewed: number | undefined },
): number | null {
  if (storedReturn === null) return null;
  return Math.min(storedReturn, approved, bounds.permanentLimit ?? storedReturn, bounds.reviewed ?? storedReturn);
}
