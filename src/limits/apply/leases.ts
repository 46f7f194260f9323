import { randomUUID } from 'node:crypto';
import { BOT_ACTOR, audit } from '../../store/audit.ts';
import { leaseIsOver, storeNow } from '../../store/lease.ts';
import { auditSubject } from '../core/ids.ts';
import type { LimitDatabase, LimitRequest, LimitTransaction } from '../core/tables.ts';
import type { RequestState } from '../core/states.ts';

/** Longer than a PUT with its repeats may take. */
export const LEASE_MS = 90_000;

/** The states of what Quartermaster sends by itself. */
export const SENDABLE: readonly RequestState[] = ['approved', 'applying', 'outcome_unknown'];

/** Requests that Quartermaster has to send now, the oldest decision first. */
export async function listDue(db: LimitDatabase): Promise<string[]> {
  const rows = await db
    .selectFrom('limit_requests')
    .select('id')
    .where('state', 'in', SENDABLE)
    .where('next_attempt_at', '<=', storeNow(db))
    .where(leaseIsOver(db, LEASE_MS))
    .orderBy('decided_at')
    .execute();
  return rows.map(({ id }) => id);
}

/** Takes a request under a lease, or nothing when another has it or there is nothing to send. */
export async function claim(db: LimitDatabase, id: string): Promise<LimitRequest | undefined> {
  return db
    .updateTable('limit_requests')
    .set((set) => ({
      state: 'applying',
      version: set('version', '+', 1),
      attempts: set('attempts', '+', 1),
      leased_by: randomUUID(),
      leased_until: storeNow(db, LEASE_MS),
    }))
    .where('id', '=', id)
    .where('state', 'in', SENDABLE)
    .where('next_attempt_at', '<=', storeNow(db))
    .where(leaseIsOver(db, LEASE_MS))
    .returningAll()
    .executeTakeFirst();
}

/** Keeps the lease; `false` when it was lost, and then nothing may be written. */
export async function keepLease(trx: LimitTransaction, { id, leased_by: by }: LimitRequest): Promise<boolean> {
  const kept = await trx
    .updateTable('limit_requests')
    .set({ leased_until: storeNow(trx, LEASE_MS) })
    .where('id', '=', id)
    .where('state', '=', 'applying')
    .where('leased_by', '=', by)
    .executeTakeFirst();
  return kept.numUpdatedRows > 0n;
}

/** Gives a request back before all of it was sent: the next start goes on at once. */
export async function release(db: LimitDatabase, request: LimitRequest): Promise<void> {
  await db
    .updateTable('limit_requests')
    .set({ leased_by: null, leased_until: null })
    .where('id', '=', request.id)
    .where('leased_by', '=', request.leased_by)
    .execute();
}

export async function noteSending(
  trx: LimitTransaction,
  id: string,
  action: string,
  detail: string,
  now: Date,
): Promise<void> {
  await audit(trx, { about: auditSubject(id), actor: BOT_ACTOR, action, detail }, now);
}
