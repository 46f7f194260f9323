import { enqueueAll, type NewDelivery } from '../../../src/core/outbox/deliveries.ts';
import type { DatabaseTransaction } from '../../../src/core/store/tables.ts';

/**
 * Inserts a delivery of a kind that only a test knows into the outbox; the bot does it by `enqueue` of a declared kind.
 */
export async function enqueue(trx: DatabaseTransaction, delivery: NewDelivery, now: Date): Promise<boolean> {
  return (await enqueueAll(trx, [delivery], now)).has(delivery.key);
}
