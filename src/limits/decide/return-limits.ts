import type { LimitPerson } from '../core/limit-tables.ts';

export interface ReturnBounds {
  /** The limit without temporary raises, from the ledger. */
  permanentLimit: number | undefined;
  /** Typed by the requester; used only if the ledger has no value. */
  typed: number | undefined;
  amount: number;
}

/** Prefers the ledger’s value to the typed one, never above the new limit; undefined if neither is known. */
export function returnOf({ permanentLimit, typed, amount }: ReturnBounds): number | undefined {
  const returnTo = permanentLimit ?? typed;
  return returnTo === undefined ? undefined : Math.min(returnTo, amount);
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
