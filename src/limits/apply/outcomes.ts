import type { LimitsResult } from '../../platform/endpoints/limits.ts';
import type { Ending } from '../core/states.ts';

/**
 * Where one person of a request stands. `asked`: waits for the decision. `left_out`: the reviewer took them out. `queued`: to
 * be sent. `sending`: the PUT may be on its way. `set`: the platform said so. `refused`: the platform named them among its
 * errors. `failed`: the platform refused the whole PUT. `unknown`: it may or may not have been set. `superseded`: not sent,
 * because something decided later was set meanwhile, its time was over, or an admin left it as it is.
 */
export const PERSON_STATES = [
  'asked',
  'left_out',
  'queued',
  'sending',
  'set',
  'refused',
  'failed',
  'unknown',
  'superseded',
] as const;
export type PersonState = (typeof PERSON_STATES)[number];

export interface LimitChange {
  /** Lower case. */
  email: string;
  value: number;
}

export type Outcome =
  | { state: 'set'; value: number }
  | { state: 'refused'; error: string }
  | { state: 'unknown'; error: string };

export const NOT_NAMED = 'The platform’s answer does not name them.';
export const NAMED_TWICE = 'The platform’s answer names them with two different values.';
const NAMED_IN_BOTH = 'The platform’s answer names them both as set and as not set';

/**
 * What an answer says of each person that was asked for: e-mails in any letter case, people missing or in both lists. What it
 * does not say is unknown. Pure.
 *
 * @example outcomesOf([{ email: 'mia@acme.example', value: 5 }], { updated: [], errors: [] }) // mia: unknown
 */
export function outcomesOf(wanted: readonly LimitChange[], { updated, errors }: LimitsResult): Map<string, Outcome> {
  const values = groupByEmail(updated, ({ limit }) => limit);
  const faults = groupByEmail(errors, ({ error }) => error);
  return new Map(wanted.map(({ email }) => [email, outcomeOf(values.get(email) ?? [], faults.get(email) ?? [])]));
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

function outcomeOf(values: readonly number[], errors: readonly string[]): Outcome {
  const [value] = values;
  const [error] = errors;
  if (value !== undefined && error !== undefined)
    return { state: 'unknown', error: `${NAMED_IN_BOTH}: ${error || NO_TEXT}` };
  if (error !== undefined) return { state: 'refused', error: error || NO_TEXT };
  if (value === undefined) return { state: 'unknown', error: NOT_NAMED };
  return values.every((one) => one === value) ? { state: 'set', value } : { state: 'unknown', error: NAMED_TWICE };
}

const NO_TEXT = 'The platform gives no reason.';

/** How a request ended, by where its people stand. Pure. */
export function endingOf(states: readonly PersonState[]): Ending {
  const sent = states.filter((state) => state !== 'left_out');
  if (sent.some((state) => state === 'unknown' || state === 'sending' || state === 'queued')) return 'outcome_unknown';
  return sent.every((state) => state === 'set') ? 'applied' : 'partly_applied';
}
