import type { Database, DatabaseTransaction } from '../../store/tables.ts';
import { leaseIsOver, storeNow } from '../../store/lease.ts';
import { tablesIn, tablesInTransaction, type ControlsCursor } from './controls-tables.ts';

const ID = 'history';

/** Reads the position up to which revisions were announced. The first process inserts the row. */
export async function readCursor(db: Database): Promise<ControlsCursor> {
  const tables = tablesIn(db);
  const existing = await tables.selectFrom('controls_cursor').selectAll().where('id', '=', ID).executeTakeFirst();
  if (existing) return existing;
  await tables
    .insertInto('controls_cursor')
    .values({ id: ID, epoch: 1, failures: 0, next_poll_at: storeNow(db) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return tables.selectFrom('controls_cursor').selectAll().where('id', '=', ID).executeTakeFirstOrThrow();
}

export interface Lease {
  replica: string;
  leaseMs: number;
}

/** @param isForced also claims it before it is due: a bot that has just started does not wait */
export async function claimPoll(db: Database, { replica, leaseMs }: Lease, isForced: boolean): Promise<boolean> {
  const updated = await tablesIn(db)
    .updateTable('controls_cursor')
    .set({ leased_by: replica, leased_until: storeNow(db, leaseMs) })
    .where('id', '=', ID)
    .where(leaseIsOver(db, leaseMs))
    .$if(!isForced, (query) => query.where('next_poll_at', '<=', storeNow(db)))
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** @returns `false` if another process holds it */
export async function renewLease(db: Database, { replica, leaseMs }: Lease): Promise<boolean> {
  const updated = await tablesIn(db)
    .updateTable('controls_cursor')
    .set({ leased_until: storeNow(db, leaseMs) })
    .where('id', '=', ID)
    .where('leased_by', '=', replica)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

export type PollEnd = { pauseMs: number; failures: number; lastError: string | null; readAt?: Date };

export async function endPoll(db: Database, replica: string, end: PollEnd): Promise<void> {
  await tablesIn(db)
    .updateTable('controls_cursor')
    .set({
      leased_by: null,
      leased_until: null,
      next_poll_at: storeNow(db, end.pauseMs),
      failures: end.failures,
      last_error: end.lastError,
      ...(end.readAt ? { read_at: end.readAt.toISOString() } : {}),
    })
    .where('id', '=', ID)
    .where('leased_by', '=', replica)
    .execute();
}

export type Move = { revision: number | null; epoch: number; startedAt: Date };

/** Returns `false` if another process has advanced it: then nothing may be announced. */
export async function moveCursor(trx: DatabaseTransaction, from: ControlsCursor, to: Move): Promise<boolean> {
  const updated = await tablesInTransaction(trx)
    .updateTable('controls_cursor')
    .set({
      revision: to.revision,
      epoch: to.epoch,
      started_at: from.started_at ?? to.startedAt.toISOString(),
      went_back_to: null,
      went_back_at: null,
    })
    .where('id', '=', ID)
    .where('epoch', '=', from.epoch)
    .where('revision', from.revision === null ? 'is' : '=', from.revision)
    .where('started_at', from.started_at === null ? 'is' : '=', from.started_at)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** Records that the history ends before the last announced revision; undefined: it does not. */
export async function recordHistoryEnd(db: Database, to: number | undefined): Promise<void> {
  await tablesIn(db)
    .updateTable('controls_cursor')
    .set(
      to === undefined ? { went_back_to: null, went_back_at: null } : { went_back_to: to, went_back_at: storeNow(db) },
    )
    .where('id', '=', ID)
    .execute();
}
