import { leaseIsOver } from '../../../core/store/lease.ts';
import type { DataGap } from '../../../core/store/data-gap.ts';
import { openBatches } from './batches.ts';
import { announceRequest, editCards, notifyState, type CardTarget } from '../core/notify.ts';
import { auditSending, LEASE_MS, NO_LEASE, SENDABLE } from './leases.ts';
import type { LimitDatabase, LimitRequest, LimitTransaction } from '../core/limit-tables.ts';
import type { LimitDeps } from '../core/limits-deps.ts';

/**
 * Returns the gap in the store that makes it unsafe to send a request automatically; undefined if sending is safe. A
 * request due before the end of that gap may have been sent during it, and a later decision may be missing too; the
 * platform gives no way to read a limit. Lateness alone is no reason if the process finds its own heartbeat.
 */
export function gapBefore(dueAt: Date, silence: DataGap | undefined): DataGap | undefined {
  return silence !== undefined && dueAt < silence.until ? silence : undefined;
}

export const unsureColumns = ({ since, until }: DataGap) => ({
  unsureSince: since.toISOString(),
  unsureUntil: until.toISOString(),
});

/** Withholds due requests that may already have been sent, and asks an admin once how to proceed. */
export async function withholdUnsure(
  deps: LimitDeps,
  ids: readonly string[],
  cardTarget: () => Promise<CardTarget>,
): Promise<void> {
  const silence = await deps.readDataGap();
  if (!silence) return;
  for (const request of await findDue(deps.db, ids)) {
    const dueAt = new Date(request.nextAttemptAt ?? Number.NaN);
    const gap = gapBefore(dueAt, silence);
    if (gap) await withhold(deps, request, gap, await cardTarget(), dueAt);
  }
}

const findDue = (db: LimitDatabase, ids: readonly string[]): Promise<LimitRequest[]> =>
  db
    .selectFrom('limitRequests')
    .selectAll()
    .where('id', 'in', ids)
    .where('nextAttemptAt', 'is not', null)
    .orderBy('decidedAt')
    .execute();

async function withhold(
  { db, clock }: LimitDeps,
  request: LimitRequest,
  gap: DataGap,
  target: CardTarget,
  dueAt: Date,
): Promise<void> {
  // If every outcome is known, nothing would be sent again.
  if ((await openBatches(db, request.id)).length === 0) return;
  const now = clock.now();
  await db.transaction().execute(async (trx) => {
    const after = await trx
      .updateTable('limitRequests')
      .set((set) => ({
        ...unsureColumns(gap),
        state: 'unsure',
        version: set('version', '+', 1),
        nextAttemptAt: null,
        ...NO_LEASE,
      }))
      .where((where) => where.and({ id: request.id, version: request.version }))
      .where('state', 'in', SENDABLE)
      .where(leaseIsOver(trx, LEASE_MS))
      .returningAll()
      .executeTakeFirst();
    if (!after) return;
    const detail = `The store holds nothing from ${after.unsureSince} to ${after.unsureUntil}`;
    await auditSending(trx, after.id, 'withheld', detail, now);
    await editCards(trx, after, now);
    await announceUnsure(trx, after, target, now, dueAt);
    await notifyState(trx, after, 'unsure', [after.requester], now);
  });
}

/** @param dueAt when the request was due; if the store was set back twice, the question is in the channel since then */
export async function announceUnsure(
  trx: LimitTransaction,
  { id, round }: Pick<LimitRequest, 'id' | 'round'>,
  target: CardTarget,
  now: Date,
  dueAt: Date,
): Promise<void> {
  await announceRequest(trx, { requestId: id, topic: `unsure-${round}` }, target, now, dueAt);
}
