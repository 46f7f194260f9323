import type { GroupSum } from '../../base/privacy/disclosure.ts';
import type { Period } from '../../base/time/calendar.ts';
import type { Database } from '../../store/tables.ts';
import { listSums } from './store.ts';

/** As many sums as the small-group check holds against each other. */
export const MAX_SUMS = 4_000;

/** Whether one sum says what another one does: each day of a period says any part of it. Pure. */
export function holdsSum(shown: GroupSum, wanted: GroupSum): boolean {
  const { first, last } = shown.period;
  const isEqual = first === wanted.period.first && last === wanted.period.last && !wanted.isByDay;
  const isWithin = shown.isByDay && first <= wanted.period.first && wanted.period.last <= last;
  if (!isEqual && !isWithin) return false;
  return shown.emails.length === wanted.emails.length && shown.emails.every((email, at) => email === wanted.emails[at]);
}

/** Whether the small-group check has admitted all of some sums before: then showing them once more reveals nothing new. */
export async function areSumsAdmitted(db: Database, sums: readonly GroupSum[]): Promise<boolean> {
  for (const wanted of sums) {
    const near = await listSums(db, wanted.period, MAX_SUMS);
    if (!near?.some((one) => holdsSum(one, wanted))) return false;
  }
  return true;
}

/** From the first to the last day of some periods. */
export function hullOf(periods: readonly Period[]): Period | undefined {
  const [first] = periods.map((period) => period.first).toSorted();
  const [last] = periods
    .map((period) => period.last)
    .toSorted()
    .toReversed();
  return first === undefined || last === undefined ? undefined : { first, last };
}
