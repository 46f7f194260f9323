import { sql, type SqlBool } from 'kysely';
import type { Database, DatabaseTransaction } from '../store/tables.ts';
import type { Retention } from '../store/row-retention.ts';
import type { DeliveryKind } from './attempts/delivery-outcomes.ts';
import type { Delivery } from './delivery-table.ts';
import { hashOfKey } from './deleted-keys.ts';

/** Each has a history of a few steps. */
const DELIVERIES_A_TRANSACTION = 100;

/** Leaves deliveries that a feature still references. A hash of each key prevents that it is posted again. */
export function deliveryRetention(kinds: Readonly<Record<string, DeliveryKind>>): Retention {
  return {
    kind: 'deliveries',
    prune: async function* (db, before) {
      const stored = await db.selectFrom('deliveries').select('kind').distinct().execute();
      for (const { kind } of stored) yield* deleteEndedOfKind(db, kind, kinds[kind], before);
    },
  };
}

async function* deleteEndedOfKind(
  db: Database,
  kind: string,
  { keysStillReferenced }: Pick<DeliveryKind, 'keysStillReferenced'> = {},
  before: Date,
): AsyncGenerator<number> {
  let last: Pick<Delivery, 'createdAt' | 'key'> | undefined;
  for (;;) {
    const candidates = await listEnded(db, kind, before, last);
    last = candidates.at(-1);
    if (!last) return;
    const rows = await db.transaction().execute(async (trx) => {
      const referencedKeys = (await keysStillReferenced?.(trx, candidates)) ?? new Set();
      const keys = candidates.flatMap(({ key }) => (referencedKeys.has(key) ? [] : [key]));
      return deleteUnreferenced(trx, keys);
    });
    if (rows > 0) yield rows;
  }
}

async function listEnded(
  db: Database,
  kind: string,
  before: Date,
  after: Pick<Delivery, 'createdAt' | 'key'> | undefined,
) {
  const at = before.toISOString();
  return (
    db
      .selectFrom('deliveries')
      .select(['key', 'createdAt', 'payload', 'about'])
      .where('kind', '=', kind)
      .where('createdAt', '<', at)
      .where('state', 'in', ENDS)
      // A person may have had it sent again lately.
      .where('dueAt', '<', at)
      .where((where) => where.or([where('sentAt', 'is', null), where('sentAt', '<', at)]))
      .$if(after !== undefined, (query) =>
        query.where((where) =>
          where.or([
            where('createdAt', '>', after?.createdAt ?? ''),
            where.and([where('createdAt', '=', after?.createdAt ?? ''), where('key', '>', after?.key ?? '')]),
          ]),
        ),
      )
      .orderBy('createdAt')
      .orderBy('key')
      .limit(DELIVERIES_A_TRANSACTION)
      .execute()
  );
}

const ENDS = ['sent', 'skipped', 'failed'] as const;
/** Hides `state` from the indexes: SQLite would scan all ended deliveries rather than look up a hundred keys. */
const HAS_ENDED = sql<SqlBool>`(state || '') in ('sent', 'skipped', 'failed')`;

async function deleteUnreferenced(trx: DatabaseTransaction, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0;
  // A person may have had a failed one sent again since the list was read.
  const deleted = await trx
    .deleteFrom('deliveries')
    .where('key', 'in', keys)
    .where(HAS_ENDED)
    .returning('key')
    .execute();
  if (deleted.length === 0) return 0;
  await trx
    .insertInto('forgottenDeliveries')
    .values(deleted.map(({ key }) => ({ keyHash: hashOfKey(key) })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return deleted.length;
}
