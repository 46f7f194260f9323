import type { GroupSum } from '../../base/privacy/disclosure.ts';
import type { Period } from '../../base/time/calendar.ts';
import type { Database } from '../../store/tables.ts';
import { listSums } from './group-store.ts';

/** The small-group check compares at most this many sums. */
export const MAX_SUMS = 4_000;

/** Whether the shown sum reveals the wanted one: daily sums also reveal the sum of any part of their period. Pure. */
export function revealsSum(shownSum: GroupSum, requestedSum: GroupSum): boolean {
  const { first, last } = shownSum.period;
  const isEqual = first === requestedSum.period.first && last === requestedSum.period.last && !requestedSum.isByDay;
  const isWithin = shownSum.isByDay && first <= requestedSum.period.first && requestedSum.period.last <= last;
  if (!isEqual && !isWithin) return false;
  return (
    shownSum.emails.length === requestedSum.emails.length &&
    shownSum.emails.every((email, at) => email === requestedSum.emails[at])
  );
}

/** Whether the small-group check admitted all these sums before: showing them again reveals nothing new. */
export async function areSumsAdmitted(db: Database, sums: readonly GroupSum[]): Promise<boolean> {
  for (const sum of sums) {
    const near = await listSums(db, sum.period, MAX_SUMS);
    if (!near?.some((one) => revealsSum(one, sum))) return false;
  }
  return true;
}

/** Returns the period from the first to the last day of some periods; undefined if there are none. */
export function hullOf(periods: readonly Period[]): Period | undefined {
  const [first] = periods.map((period) => period.first).toSorted();
  const [last] = periods
    .map((period) => period.last)
    .toSorted()
    .toReversed();
  return first === undefined || last === undefined ? undefined : { first, last };
}
