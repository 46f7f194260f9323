import { randomUUID } from 'node:crypto';
import { BOT_ACTOR, audit } from '../../../core/store/audit.ts';
import { startDeadline, type Deadline } from '../../../core/base/time/deadline.ts';
import { leaseHolds, leaseIsOver, storeNow } from '../../../core/store/lease.ts';
import { auditSubject } from '../core/ids.ts';
import type { LimitDatabase, LimitRequest, LimitTransaction } from '../core/limit-tables.ts';
import type { RequestState } from '../core/states.ts';

/** Longer than a PUT with its retries, or one reading back with the wait before it, can take. */
export const LEASE_MS = 90_000;

/** The states of requests that Quartermaster sends by itself. */
export const SENDABLE: readonly RequestState[] = ['approved', 'applying', 'outcome_unknown'];

export async function listDue(db: LimitDatabase): Promise<string[]> {
  const rows = await db
    .selectFrom('limitRequests')
    .select('id')
    .where('state', 'in', SENDABLE)
    .where('nextAttemptAt', '<=', storeNow(db))
    .where(leaseIsOver(db, LEASE_MS))
    .orderBy('decidedAt')
    .execute();
  return rows.map(({ id }) => id);
}

/** Takes the lease on a request. Returns undefined if another process has it or nothing is to be sent. */
export async function claim(db: LimitDatabase, id: string): Promise<LimitRequest | undefined> {
  return db
    .updateTable('limitRequests')
    .set((set) => ({
      state: 'applying',
      version: set('version', '+', 1),
      attempts: set('attempts', '+', 1),
      leasedBy: randomUUID(),
      leasedUntil: storeNow(db, LEASE_MS),
    }))
    .where('id', '=', id)
    .where('state', 'in', SENDABLE)
    .where('nextAttemptAt', '<=', storeNow(db))
    .where(leaseIsOver(db, LEASE_MS))
    .returningAll()
    .executeTakeFirst();
}

/** Renews the lease. Returns `false` if it was lost; nothing may be written then. */
export async function renewLease(trx: LimitTransaction, { id, leasedBy: by }: LimitRequest): Promise<boolean> {
  const updated = await trx
    .updateTable('limitRequests')
    .set({ leasedUntil: storeNow(trx, LEASE_MS) })
    .where((where) => where.and({ id, state: 'applying', leasedBy: by }))
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/**
 * Renews a lease that still holds, before a step that may take long. Returns how long that step may take, or undefined
 * if another process may have the request.
 */
export async function keepLease(db: LimitDatabase, { id, leasedBy: by }: LimitRequest): Promise<Deadline | undefined> {
  // Starts before the lease is renewed, on a clock that keeps running while the process is suspended.
  const deadline = startDeadline(LEASE_MS);
  const updated = await db
    .updateTable('limitRequests')
    .set({ leasedUntil: storeNow(db, LEASE_MS) })
    .where((where) => where.and({ id, state: 'applying', leasedBy: by }))
    .where(leaseHolds(db))
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n ? deadline : undefined;
}

export const NO_LEASE = { leasedBy: null, leasedUntil: null } as const;

/** Gives up the lease on a partly sent request, so that the next start continues at once. */
export async function release(db: LimitDatabase, request: LimitRequest): Promise<void> {
  await db
    .updateTable('limitRequests')
    .set(NO_LEASE)
    .where('id', '=', request.id)
    .where('leasedBy', '=', request.leasedBy)
    .execute();
}

/** Ends a sending whose outcome is open, with its lease. Returns undefined if the lease was lost. */
export const stopSending = (
  trx: LimitTransaction,
  { id, leasedBy: by }: LimitRequest,
  columns: Partial<LimitRequest>,
): Promise<LimitRequest | undefined> =>
  trx
    .updateTable('limitRequests')
    .set((set) => ({ ...columns, version: set('version', '+', 1), nextAttemptAt: null, ...NO_LEASE }))
    .where((where) => where.and({ id, leasedBy: by }))
    .returningAll()
    .executeTakeFirst();

export async function auditSending(
  trx: LimitTransaction,
  id: string,
  action: string,
  detail: string,
  now: Date,
): Promise<void> {
  await audit(trx, { about: auditSubject(id), actor: BOT_ACTOR, action, detail }, now);
}
