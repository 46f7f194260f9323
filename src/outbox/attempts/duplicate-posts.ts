import type { Logger } from '../../base/log.ts';
import type { Database } from '../../store/tables.ts';
import { targetOf } from './run-attempt.ts';
import type { Delivery } from '../delivery-table.ts';
import { findDelivery } from '../past-deliveries.ts';
import type { Poster } from './poster.ts';

/**
 * Runs after a post whose delivery another attempt had taken over. Never deletes the message in the store, since
 * threads and corrections depend on it; if neither is in the store, the newer one is deleted.
 */
export async function removeDuplicatePost(
  { db, poster, log }: { db: Database; poster: Poster; log: Logger },
  delivery: Delivery,
): Promise<void> {
  const search = await poster.find(
    targetOf(delivery),
    delivery.key,
    new Date(delivery.firstPostingAt ?? delivery.dueAt),
  );
  if (search.kind !== 'found' || search.others.length === 0) return;
  const { channel } = search;
  const storedTs = (await findDelivery(db, delivery.key))?.messageTs;
  const all = [search.ts, ...search.others].toSorted((one, other) => Number(one) - Number(other));
  const remainingTs = all.find((ts) => ts === storedTs) ?? all[0];
  for (const ts of all.filter((one) => one !== remainingTs)) {
    const isRemoved = await poster.remove({ channel, ts });
    log.warn({ delivery: delivery.key, channel, ts, isRemoved }, 'Deleted the second copy of a message');
  }
}
