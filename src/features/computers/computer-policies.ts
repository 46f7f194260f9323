import type { EndedMessage } from '../../core/outbox/message-duties.ts';
import { ROWS_A_TRANSACTION, untilNothingIsLeft, type Retention } from '../../core/store/row-retention.ts';
import type { Database, DatabaseTransaction } from '../../core/store/tables.ts';
import type { AboutOrder } from './core/computer-messages.ts';
import type { ComputerOrderTables, OrderState } from './core/computer-tables.ts';
import type { PoliciesOf } from '../../core/store/table-policy.ts';

const OVER: readonly OrderState[] = ['asked', 'ready', 'failed', 'not_created', 'ended'];

/** Deletes orders that ended long ago; the computers remain. */
const orderRetention: Retention = {
  kind: 'audit',
  prune: (db, before) => untilNothingIsLeft(() => forgetOrders(db, before)),
};

async function forgetOrders(db: Database, before: Date): Promise<number> {
  const tables = db.withTables<ComputerOrderTables>();
  const over = tables
    .selectFrom('computerOrders')
    .select('id')
    .where('state', 'in', OVER)
    .where('updatedAt', '<', before.toISOString())
    .limit(ROWS_A_TRANSACTION);
  const deleted = await tables.deleteFrom('computerOrders').where('id', 'in', over).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

export async function cardsStillReferenced(
  trx: DatabaseTransaction,
  ended: readonly EndedMessage<AboutOrder>[],
): Promise<ReadonlySet<string>> {
  const open = await trx
    .withTables<ComputerOrderTables>()
    .selectFrom('computerOrders')
    .select('id')
    .where(
      'id',
      'in',
      ended.map(({ payload }) => payload.orderId),
    )
    .where('state', 'not in', OVER)
    .execute();
  const ids = new Set(open.map(({ id }) => id));
  return new Set(ended.flatMap(({ key, payload }) => (ids.has(payload.orderId) ? [key] : [])));
}

export const computerPolicies: PoliciesOf<ComputerOrderTables> = {
  computerOrders: {
    what: 'computers they ordered',
    reasonToKeep: 'the computers are there',
    retention: [orderRetention],
  },
};
