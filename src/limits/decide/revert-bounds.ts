import type { LimitPerson } from '../core/tables.ts';

export interface ReturnBounds {
  /** What the ledger says the limit is without raises that end. */
  standing: number | undefined;
  /** Said by the requester; counts only where the ledger says nothing. */
  typed: number | undefined;
  amount: number;
}

/**
 * What a raise goes back to: by the ledger where it knows a value, else as typed, and never above the new limit. Nothing where
 * neither is known. Pure.
 *
 * @example returnOf({ standing: 500, typed: 900, amount: 700 }) // 500
 */
export function returnOf({ standing, typed, amount }: ReturnBounds): number | undefined {
  const wanted = standing ?? typed;
  return wanted === undefined ? undefined : Math.min(wanted, amount);
}

/**
 * What an approved raise goes back to: never above what was shown, the ledger by then, what the reviewer typed, or what is
 * approved. Pure.
 */
export function approvedReturn(
  { return_value: shown }: Pick<LimitPerson, 'return_value'>,
  approved: number,
  bounds: { standing: number | undefined; reviewed: number | undefined },
): number | null {
  if (shown === null) return null;
  return Math.min(shown, approved, bounds.standing ?? shown, bounds.reviewed ?? shown);
}
