import type { LimitsResult } from '../../../core/platform/endpoints/limits.ts';

export interface LimitChange {
  /** Lower case. */
  email: string;
  value: number;
  /** Their own limit is removed instead. */
  removes: boolean;
}

export type Outcome =
  /** Null: the limit of their own was removed. */
  { state: 'set'; value: number | null } | { state: 'refused'; error: string } | { state: 'unknown'; error: string };

export const NOT_NAMED = 'The platform’s answer does not name them.';
export const NAMED_TWICE = 'The platform’s answer names them with two different values.';
const NAMED_IN_BOTH = 'The platform’s answer names them both as set and as not set';

/** People who are missing or in both lists are `unknown`; e-mails match in any letter case. */
export function outcomesOf(
  sentLimits: readonly { email: string; removes?: boolean }[],
  { updated, errors }: LimitsResult,
): Map<string, Outcome> {
  const values = groupByEmail(updated, ({ limit }) => limit);
  const faults = groupByEmail(errors, ({ error }) => error);
  return new Map(
    sentLimits.map(({ email, removes = false }) => [
      email,
      outcomeOf(values.get(email) ?? [], faults.get(email) ?? [], removes),
    ]),
  );
}

function groupByEmail<Entry extends { email: string }, Value>(
  entries: readonly Entry[],
  valueOf: (entry: Entry) => Value,
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const entry of entries) {
    const email = entry.email.trim().toLowerCase();
    groups.set(email, [...(groups.get(email) ?? []), valueOf(entry)]);
  }
  return groups;
}

function outcomeOf(values: readonly (number | null)[], errors: readonly string[], removes: boolean): Outcome {
  const [value] = values;
  const [error] = errors;
  if (value !== undefined && error !== undefined)
    return { state: 'unknown', error: `${NAMED_IN_BOTH}: ${error || NO_TEXT}` };
  if (error !== undefined) return { state: 'refused', error: error || NO_TEXT };
  if (value === undefined) return { state: 'unknown', error: NOT_NAMED };
  if (value === null && !removes) return { state: 'unknown', error: REMOVED };
  return values.every((one) => one === value) ? { state: 'set', value } : { state: 'unknown', error: NAMED_TWICE };
}

const REMOVED = 'The platform’s answer says that it removed their limit.';
const NO_TEXT = 'The platform gives no reason.';
