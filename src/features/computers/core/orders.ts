import { z } from 'zod';
import { newComputer } from '../../../core/platform/endpoints/computers.ts';
import { audit } from '../../../core/store/audit.ts';
import type { Database, DatabaseTransaction } from '../../../core/store/tables.ts';
import { leaseHolds, leaseIsOver, storeNow } from '../../../core/store/lease.ts';
import type { ComputerOrderTables, ComputerOrder, OrderState } from './computer-tables.ts';
import { jsonColumn } from '../../../core/store/json-column.ts';

const tables = (db: Database) => db.withTables<ComputerOrderTables>();

type NewOrder = Pick<ComputerOrder, 'id' | 'person' | 'channel' | 'body' | 'name' | 'remoteUser' | 'state'> & {
  computerId?: string;
  leaseMs: number;
};

/** How long a process may hold an order without renewing its lease. */
export const LEASE_MS = 60_000;

/** @returns `false` if the id or the computer already has an order */
export async function addOrder(db: Database, { leaseMs, ...order }: NewOrder, now: Date): Promise<boolean> {
  const at = now.toISOString();
  const added = await tables(db)
    .insertInto('computerOrders')
    .values({ ...order, leasedUntil: storeNow(db, leaseMs), round: 0, editNumber: 0, createdAt: at, updatedAt: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Boolean(added.numInsertedOrUpdatedRows);
}

export async function findOrder(db: Database, id: string): Promise<ComputerOrder | undefined> {
  return tables(db).selectFrom('computerOrders').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findOrderOf(db: Database, computerId: string): Promise<ComputerOrder | undefined> {
  return tables(db).selectFrom('computerOrders').selectAll().where('computerId', '=', computerId).executeTakeFirst();
}

export async function lastBodyOf(db: Database, person: string): Promise<string | null> {
  const row = await tables(db)
    .selectFrom('computerOrders')
    .select('body')
    .where('person', '=', person)
    .where('body', 'is not', null)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.body ?? null;
}

export interface Move {
  id: string;
  from: readonly OrderState[];
  /** The order moves only if it has not been retried since. */
  round?: number;
}

/** `leaseMs`: how long no other process takes over; 0: any process may at once; null: none has to. */
type Changes = Partial<Omit<ComputerOrder, 'id' | 'createdAt' | 'updatedAt' | 'leasedUntil'>> & {
  leaseMs?: number | null;
};

/** Moves an order to another state. @returns `false` if another process was faster */
export async function moveOrder(
  db: Database,
  { id, from, round }: Move,
  { leaseMs, ...to }: Changes,
  now: Date,
): Promise<boolean> {
  const lease = leaseMs === undefined ? {} : { leasedUntil: leaseMs === null ? null : storeNow(db, leaseMs) };
  let query = tables(db)
    .updateTable('computerOrders')
    .set({ ...to, ...lease, updatedAt: now.toISOString() })
    .where('id', '=', id)
    .where('state', 'in', from);
  if (round !== undefined) query = query.where('round', '=', round);
  const moved = await query.executeTakeFirst();
  return moved.numUpdatedRows > 0n;
}

export interface OrderAction {
  /** A Slack id. */
  actor: string;
  action: 'requested' | 'created' | 'not_created' | 'retried';
  detail: string;
}

export async function auditOrder(
  trx: DatabaseTransaction,
  orderId: string,
  action: OrderAction,
  now: Date,
): Promise<void> {
  await audit(trx, { about: `computers:${orderId}`, ...action }, now);
}

/** Moves an order and audits the actor, in one transaction. @returns `false` if another process was faster */
export async function moveAudited(
  db: Database,
  move: Move,
  to: Changes,
  action: OrderAction,
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await moveOrder(trx, move, to, now))) return false;
    await auditOrder(trx, move.id, action, now);
    return true;
  });
}

/** Returns unfinished orders that no process works on: theirs died, or the outcome is unknown. */
export async function listAbandoned(db: Database): Promise<ComputerOrder[]> {
  return tables(db)
    .selectFrom('computerOrders')
    .selectAll()
    .where('state', 'in', ['requested', 'creating', 'unknown', 'retrying'])
    .where('leasedUntil', 'is not', null)
    .where(leaseIsOver(db, LEASE_MS))
    .orderBy('createdAt')
    .execute();
}

export async function listFollowing(db: Database): Promise<ComputerOrder[]> {
  return tables(db)
    .selectFrom('computerOrders')
    .selectAll()
    .where('state', '=', 'following')
    .orderBy('createdAt')
    .execute();
}

export async function followedIds(db: Database, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tables(db)
    .selectFrom('computerOrders')
    .select('computerId')
    .where('computerId', 'in', ids)
    .execute();
  return new Set(rows.flatMap(({ computerId: id }) => (id === null ? [] : [id])));
}

/** Whether a request for another computer with this name may be on its way. */
export async function isAnotherCreating(db: Database, { id, name }: ComputerOrder): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('computerOrders')
    .select('id')
    .where('name', '=', name)
    .where('id', '!=', id)
    .where('state', '=', 'creating')
    .where(leaseHolds(db))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const MAX_COMPARED = 100;

/** Returns how long the latest computers took that were ready at the first try. */
export async function readyTimesMs(db: Database): Promise<number[]> {
  const rows = await tables(db)
    .selectFrom('computerOrders')
    .select('readyAfterMs')
    .where('readyAfterMs', 'is not', null)
    .orderBy('createdAt', 'desc')
    .limit(MAX_COMPARED)
    .execute();
  return rows.flatMap(({ readyAfterMs: afterMs }) => (afterMs === null ? [] : [afterMs]));
}

export const idsColumn = jsonColumn(z.array(z.string()));
export const knownIdsOf = ({ knownIds }: ComputerOrder): string[] => idsColumn.readIfKnown(knownIds) ?? [];

const bodySchema = newComputer.required({ autoInstallDeps: true });
export type StoredBody = z.infer<typeof bodySchema>;
export const bodyColumn = jsonColumn(bodySchema);
