import type { Database, DatabaseTransaction } from '../../../core/store/tables.ts';
import { hasRowLocks, leaseIsOver, storeNow } from '../../../core/store/lease.ts';
import { type ControlsCursor, tablesIn, tablesInTransaction } from './revisions.ts';

const ID = 'history';

/** Reads the position up to which revisions were announced. The first process inserts the row. */
export async function readCursor(db: Database): Promise<ControlsCursor> {
  const tables = tablesIn(db);
  const existing = await tables.selectFrom('controlsCursor').selectAll().where('id', '=', ID).executeTakeFirst();
  if (existing) return existing;
  await tables
    .insertInto('controlsCursor')
    .values({ id: ID, epoch: 1, failures: 0, nextPollAt: storeNow(db) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return tables.selectFrom('controlsCursor').selectAll().where('id', '=', ID).executeTakeFirstOrThrow();
}

/** No revision is announced by another process until the transaction ends. */
export async function lockCursor(trx: DatabaseTransaction): Promise<ControlsCursor | undefined> {
  return tablesInTransaction(trx)
    .selectFrom('controlsCursor')
    .selectAll()
    .where('id', '=', ID)
    .$if(hasRowLocks(trx), (query) => query.forUpdate())
    .executeTakeFirst();
}

export interface Lease {
  replica: string;
  leaseMs: number;
}

/** @param isForced also claims it before it is due: a bot that has just started does not wait */
export async function claimPoll(db: Database, { replica, leaseMs }: Lease, isForced: boolean): Promise<boolean> {
  const updated = await tablesIn(db)
    .updateTable('controlsCursor')
    .set({ leasedBy: replica, leasedUntil: storeNow(db, leaseMs) })
    .where('id', '=', ID)
    .where(leaseIsOver(db, leaseMs))
    .$if(!isForced, (query) => query.where('nextPollAt', '<=', storeNow(db)))
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** @returns `false` if another process holds it */
export async function renewLease(db: Database, { replica, leaseMs }: Lease): Promise<boolean> {
  const updated = await tablesIn(db)
    .updateTable('controlsCursor')
    .set({ leasedUntil: storeNow(db, leaseMs) })
    .where((where) => where.and({ id: ID, leasedBy: replica }))
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

export type PollEnd = { pauseMs: number; failures: number; lastError: string | null; readAt?: Date };

export async function endPoll(db: Database, replica: string, end: PollEnd): Promise<void> {
  await tablesIn(db)
    .updateTable('controlsCursor')
    .set({
      leasedBy: null,
      leasedUntil: null,
      nextPollAt: storeNow(db, end.pauseMs),
      failures: end.failures,
      lastError: end.lastError,
      ...(end.readAt ? { readAt: end.readAt.toISOString() } : {}),
    })
    .where((where) => where.and({ id: ID, leasedBy: replica }))
    .execute();
}

export type Move = { revision: number | null; epoch: number; startedAt: Date };

/** Returns `false` if another process has advanced it: then nothing may be announced. */
export async function moveCursor(trx: DatabaseTransaction, from: ControlsCursor, to: Move): Promise<boolean> {
  const updated = await tablesInTransaction(trx)
    .updateTable('controlsCursor')
    .set({
      revision: to.revision,
      epoch: to.epoch,
      startedAt: from.startedAt ?? to.startedAt.toISOString(),
      wentBackTo: null,
      wentBackAt: null,
    })
    .where((where) => where.and({ id: ID, epoch: from.epoch }))
    .where('revision', from.revision === null ? 'is' : '=', from.revision)
    .where('startedAt', from.startedAt === null ? 'is' : '=', from.startedAt)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** Records that the history ends before the last announced revision; undefined: it does not. */
export async function recordHistoryEnd(db: Database, to: number | undefined): Promise<void> {
  await tablesIn(db)
    .updateTable('controlsCursor')
    .set(to === undefined ? { wentBackTo: null, wentBackAt: null } : { wentBackTo: to, wentBackAt: storeNow(db) })
    .where('id', '=', ID)
    .execute();
}
