import { storeNow } from '../../store/lease.ts';
import type { DatabaseTransaction } from '../../store/tables.ts';
import type { Preparation } from './delivery-outcomes.ts';

const PAUSED = 'It is paused.';

/** A process that read the pause just before its end would otherwise leave the message waiting. */
const CHECK_EVERY_MS = 10 * 60_000;

export const waitWhilePaused = (now: Date): Extract<Preparation, { kind: 'wait' }> => ({
  kind: 'wait',
  until: new Date(now.getTime() + CHECK_EVERY_MS),
  reason: PAUSED,
});

/** Tries what waits for the end of a pause at once. It counts as due now, so that no passing fault ends it. */
export async function retryPaused(trx: DatabaseTransaction, now: Date): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set({ dueAt: now.toISOString(), nextAttemptAt: storeNow(trx) })
    .where((where) => where.and({ state: 'waiting', reason: PAUSED }))
    .execute();
}
