import { emailsOf, entriesOf, isInFlightElsewhere, type DatedEntry } from './ledger.ts';
import type { LimitDatabase, LimitPerson, LimitRequest } from './limit-tables.ts';
import { peopleOf } from './requests.ts';
import type { EarlierLimits } from './states.ts';

export type UndoFacts =
  | { earlierLimits: 'known'; people: readonly LimitPerson[]; valuesBefore: ReadonlyMap<string, number> }
  | { earlierLimits: Exclude<EarlierLimits, 'known'> };

/** Returns the limits that an undo sets: for all people whose limit the request has set, or for none of them. */
export async function readUndoFacts(db: LimitDatabase, request: Pick<LimitRequest, 'id' | 'kind'>): Promise<UndoFacts> {
  const people = (await peopleOf(db, request.id)).filter(({ state }) => state === 'set');
  if (people.length === 0 || request.kind === 'return' || request.kind === 'undo') return { earlierLimits: 'none' };
  const emails = emailsOf(people);
  const entries = await entriesOf(db, emails);
  if (await isInFlightElsewhere(db, request.id, emails)) return { earlierLimits: 'changed' };
  const valuesBefore = new Map<string, number>();
  for (const email of emails) {
    const value = valueBefore(request.id, entries.get(email) ?? []);
    if (typeof value === 'string') return { earlierLimits: value };
    valuesBefore.set(email, value);
  }
  return { earlierLimits: 'known', people, valuesBefore };
}

/**
 * Returns the limit from before a request. After a temporary raise it counts as unknown: the end of that raise was
 * replaced, so the limit would never go back. Pure.
 *
 * @param entries of one person, oldest first
 */
export function valueBefore(id: string, entries: readonly DatedEntry[]): number | 'changed' | 'unknown' {
  const newest = entries.at(-1);
  const before = entries.at(-2);
  if (newest?.requestId !== id) return 'changed';
  return before === undefined || before.until !== null ? 'unknown' : before.value;
}
