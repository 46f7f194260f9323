import { readShownLimits } from '../../../core/platform/capabilities/shown-limit-store.ts';
import { shownOfText } from '../../../core/platform/capabilities/shown-limit.ts';
import { emailsOf, entriesOf, isInFlightElsewhere, type DatedEntry } from './ledger.ts';
import type { LimitDatabase, LimitPerson, LimitRequest } from './limit-tables.ts';
import { peopleOf } from './requests.ts';
import type { EarlierLimits } from './states.ts';

/** `removes`: the person had no limit of their own; `value` is then what an older platform would be sent. */
export interface EarlierLimit {
  value: number;
  removes: boolean;
}

export type UndoFacts =
  | { earlierLimits: 'known'; people: readonly LimitPerson[]; valuesBefore: ReadonlyMap<string, EarlierLimit> }
  | { earlierLimits: Exclude<EarlierLimits, 'known'> };

/** Returns the limits that an undo sets: for all people whose limit the request has set, or for none of them. */
export async function readUndoFacts(db: LimitDatabase, request: Pick<LimitRequest, 'id' | 'kind'>): Promise<UndoFacts> {
  const people = (await peopleOf(db, request.id)).filter(({ state }) => state === 'set');
  if (people.length === 0 || request.kind === 'return' || request.kind === 'undo') return { earlierLimits: 'none' };
  const emails = emailsOf(people);
  const entries = await entriesOf(db, emails);
  if (await isInFlightElsewhere(db, request.id, emails)) return { earlierLimits: 'changed' };
  const isShown = (await readShownLimits(db, [])) !== undefined;
  const valuesBefore = new Map<string, EarlierLimit>();
  for (const person of people) {
    const earlier = earlierLimitOf(person, entries.get(person.email) ?? [], isShown);
    if (typeof earlier === 'string') return { earlierLimits: earlier };
    valuesBefore.set(person.email, earlier);
  }
  return { earlierLimits: 'known', people, valuesBefore };
}

/** On a platform that shows limits, it is what the platform showed before the request. */
function earlierLimitOf(
  { requestId, shownBefore, setValue }: LimitPerson,
  entries: readonly DatedEntry[],
  isShown: boolean,
): EarlierLimit | 'changed' | 'unknown' {
  const known = valueBefore(requestId, entries);
  const shown = !isShown || shownBefore === null ? undefined : shownOfText(shownBefore);
  if (!shown || known === 'changed') return typeof known === 'string' ? known : { value: known, removes: false };
  switch (shown.kind) {
    case 'own':
      // It was a temporary raise, whose end would be lost.
      return entries.at(-2)?.until && entries.at(-2)?.value === shown.value
        ? 'unknown'
        : { value: shown.value, removes: false };
    case 'everybody':
      return { value: shown.value, removes: true };
    case 'unlimited':
      return { value: setValue ?? 0, removes: true };
    case 'unclear':
      return 'unknown';
    default:
      return shown satisfies never;
  }
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
