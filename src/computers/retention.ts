import type { EndedDelivery } from '../outbox/delivery-table.ts';
import { ROWS_A_TRANSACTION, untilNothingIsLeft, type Retention } from '../store/retention.ts';
import type { Database, DatabaseTransaction } from '../store/tables.ts';
import { orderPayload } from './core/keys.ts';
import type { ComputerOrderTables, OrderState } from './core/tables.ts';

const OVER: readonly OrderState[] = ['asked', 'ready', 'failed', 'not_created', 'ended'];

/** Deletes orders of computers that were over long ago; the computers stay. */
export const orderRetention = (db: Database): Retention => ({
  kind: 'audit',
  prune: (before) => untilNothingIsLeft(() => forgetOrders(db, before)),
});

async function forgetOrders(db: Database, before: Date): Promise<number> {
  const tables = db.withTables<ComputerOrderTables>();
  const over = tables
    .selectFrom('computer_orders')
    .select('id')
    .where('state', 'in', OVER)
    .where('updated_at', '<', before.toISOString())
    .limit(ROWS_A_TRANSACTION);
  const deleted = await tables.deleteFrom('computer_orders').where('id', 'in', over).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

export async function findNeededCards(
  trx: DatabaseTransaction,
  ended: readonly EndedDelivery[],
): Promise<ReadonlySet<string>> {
  const orderOf = new Map(
    ended.map(({ key, payload }) => [key, orderPayload.parse(JSON.parse(payload)).orderId] as const),
  );
  const open = await trx
    .withTables<ComputerOrderTables>()
    .selectFrom('computer_orders')
    .select('id')
    .where('id', 'in', [...orderOf.values()])
    .where('state', 'not in', OVER)
    .execute();
  const ids = new Set(open.map(({ id }) => id));
  return new Set(ended.flatMap(({ key }) => (ids.has(orderOf.get(key) ?? '') ? [key] : [])));
}
