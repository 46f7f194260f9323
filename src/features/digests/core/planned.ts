import { plusDays, type Period } from '../../../core/base/time/calendar.ts';
import { previousOccurrence, type Occurrence, type Schedule } from '../../../core/schedule/occurrences.ts';
import type { EndedDelivery } from '../../../core/outbox/delivery-table.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import { coveredDays, lastDayOver } from './coverage.ts';
import { digestMessage } from './digest-messages.ts';
import type { Cadence } from './settings.ts';

/** A scheduled digest that was sent or is on its way. */
export interface PlannedDigest {
  localDate: string;
  cadence: Cadence;
  period: Period;
}

/** More than can fall between any two time zones. */
const MAX_LISTED = 5;

/** Returns the last scheduled digests of a subscription, without those that a user requested. */
export async function listPlanned(trx: DatabaseTransaction, subscriptionId: string): Promise<PlannedDigest[]> {
  const rows = await lastPlanned(trx, subscriptionId).selectAll().execute();
  return rows.map((row) => {
    const { payload, slot } = digestMessage.parse(row);
    return { localDate: slot ?? '', cadence: payload.cadence, period: payload.period };
  });
}

function lastPlanned(trx: DatabaseTransaction, subscriptionId: string) {
  return trx
    .selectFrom('deliveries')
    .where((where) => where.and({ kind: digestMessage.name, about: subscriptionId }))
    .where('slot', 'is not', null)
    .where('state', '!=', 'skipped')
    .orderBy('dueAt', 'desc')
    .limit(MAX_LISTED);
}

/**
 * Returns the days of a digest: from after those of the digest before it, which may have been planned by other rules of
 * its time zone or at another time of day, so that no day is left out or told twice. Pure.
 *
 * @param planned the last digests of the subscription
 * @returns undefined if it would have no day
 */
export function daysToCover(
  planned: readonly PlannedDigest[],
  cadence: Cadence,
  schedule: Schedule,
  occurrence: Occurrence,
): Period | undefined {
  const period = coveredDays(cadence, schedule, occurrence);
  if (cadence === 'monthly') return period;
  const dateBefore = previousOccurrence(schedule, occurrence.at).localDate;
  const before = planned.find((one) => one.cadence === cadence && one.localDate === dateBefore);
  if (!before) return period;
  const continued = { first: plusDays(before.period.last, 1), last: lastDayOver(occurrence.at) };
  return continued.first > continued.last ? undefined : continued;
}

/** Whether a digest at this time would be the second one of its date, or about the same days. Pure. */
export function wasPlanned(
  planned: readonly PlannedDigest[],
  cadence: Cadence,
  schedule: Schedule,
  occurrence: Occurrence,
): boolean {
  const period = daysToCover(planned, cadence, schedule, occurrence);
  // The digest before it has all of its days.
  if (!period && coveredDays(cadence, schedule, occurrence)) return true;
  return planned.some(
    (one) =>
      one.localDate === occurrence.localDate ||
      (one.cadence === cadence && one.period.first === period?.first && one.period.last === period.last),
  );
}

/** Returns the last digests of each subscription: they show whether a changed schedule would repeat days. */
export async function keysOfLastPlanned(
  trx: DatabaseTransaction,
  ended: readonly Pick<EndedDelivery, 'about'>[],
): Promise<ReadonlySet<string>> {
  const ids = new Set(ended.flatMap(({ about }) => about ?? []));
  const needed = new Set<string>();
  for (const id of ids) for (const { key } of await lastPlanned(trx, id).select('key').execute()) needed.add(key);
  return needed;
}
