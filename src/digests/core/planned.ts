import type { Period } from '../../base/time/calendar.ts';
import type { Occurrence, Schedule } from '../../schedule/occurrences.ts';
import type { EndedDelivery } from '../../outbox/delivery-table.ts';
import type { DatabaseTransaction } from '../../store/tables.ts';
import { coveredDays } from './coverage.ts';
import { readPayload } from './payload.ts';
import type { Cadence } from './settings.ts';

/** A digest that came, or is on its way, by its schedule. */
export interface PlannedDigest {
  /** By the calendar on the wall. */
  localDate: string;
  cadence: Cadence;
  period: Period;
}

/** More than can lie between two clocks of the world. */
const MAX_LISTED = 5;

/** The last digests of a subscription that came by its schedule. One that somebody asked for stands beside it. */
export async function listPlanned(trx: DatabaseTransaction, subscriptionId: string): Promise<PlannedDigest[]> {
  const rows = await lastPlanned(trx, subscriptionId).execute();
  return rows.map(({ key, payload }) => {
    const { cadence, period } = readPayload({ payload });
    return { localDate: key.split(':')[2] ?? '', cadence, period };
  });
}

function lastPlanned(trx: DatabaseTransaction, subscriptionId: string) {
  return trx
    .selectFrom('deliveries')
    .select(['key', 'payload'])
    .where('kind', '=', 'digest')
    .where('key', 'like', `digest:${subscriptionId}:%`)
    .where('key', 'not like', `digest:${subscriptionId}:now:%`)
    .where('state', '!=', 'skipped')
    .orderBy('due_at', 'desc')
    .limit(MAX_LISTED);
}

/** Would a digest at this time be a second one of a morning, or about the same days? Pure. */
export function wasPlanned(
  planned: readonly PlannedDigest[],
  cadence: Cadence,
  schedule: Schedule,
  occurrence: Occurrence,
): boolean {
  const period = coveredDays(cadence, schedule, occurrence);
  return planned.some(
    (one) =>
      one.localDate === occurrence.localDate ||
      (one.cadence === cadence && one.period.first === period?.first && one.period.last === period.last),
  );
}

/** The last ones of each subscription: they tell whether a changed schedule would have days come twice. */
export async function findLastPlanned(
  trx: DatabaseTransaction,
  ended: readonly EndedDelivery[],
): Promise<ReadonlySet<string>> {
  const ids = new Set(ended.flatMap(({ key }) => key.split(':')[1] ?? []));
  const needed = new Set<string>();
  for (const id of ids) for (const { key } of await lastPlanned(trx, id).execute()) needed.add(key);
  return needed;
}
