import { sql, type SqlBool } from 'kysely';
import type { EndedMessage } from '../../core/outbox/message-duties.ts';
import type { Retention } from '../../core/store/row-retention.ts';
import type { DatabaseTransaction } from '../../core/store/tables.ts';
import type { AboutRequest } from './core/limit-messages.ts';
import { isRaise, returnsOf, type OfRequest } from './core/requests.ts';
import { UNFINISHED, type RequestState } from './core/states.ts';
import { withLimits, type LimitDatabase, type LimitTransaction } from './core/limit-tables.ts';

const REQUESTS_A_BATCH = 100;
const OVER: readonly RequestState[] = ['applied', 'partly_applied', 'left', 'denied', 'withdrawn', 'expired'];

/** The last value set for a person stays, without the reason: nothing else shows their present limit. */
export const requestRetention: Retention = {
  kind: 'audit',
  prune: async function* (store, before) {
    const db = withLimits(store);
    let after = '';
    for (;;) {
      const ids = await listExpired(db, before, after);
      for (const id of ids) {
        const rows = await db.transaction().execute((trx) => forgetRequest(trx, id, before));
        if (rows > 0) yield rows;
      }
      after = ids.at(-1) ?? '';
      if (after === '') return;
    }
  },
};

/** Matches requests that have not changed since `before` and will not. A raise is not over before its return. */
function isExpired(where: OfRequest, before: Date) {
  const at = before.toISOString();
  const times = ['finishedAt', 'decidedAt', 'chosenAt', 'until'] as const;
  const isParentGone = where.not(
    where.exists(
      where
        .selectFrom('limitRequestPeople as raised')
        .select('raised.email')
        .whereRef('raised.requestId', '=', 'limitRequests.parentId'),
    ),
  );
  const hasReturn = where.exists(returnsOf(where).where('back.state', 'in', OVER));
  return where.and([
    where('state', 'in', OVER),
    where('createdAt', '<', at),
    where('expiresAt', '<', at),
    ...times.map((time) => where.or([where(time, 'is', null), where(time, '<', at)])),
    where.or([where('until', 'is', null), hasReturn, where.not(isRaise(where))]),
    // If a return is deleted before its raise, the raise is returned a second time.
    where.or([where('parentId', 'is', null), isParentGone]),
  ]);
}

/** Matches ledger entries that a later entry for the same person replaced. */
const isSuperseded = sql<SqlBool>`exists (select 1 from limit_ledger as later where later.email = limit_ledger.email
  and (later.set_at > limit_ledger.set_at
    or (later.set_at = limit_ledger.set_at and later.approved_at > limit_ledger.approved_at)))`;

async function listExpired(db: LimitDatabase, before: Date, after: string): Promise<string[]> {
  const rows = await db
    .selectFrom('limitRequests')
    .select('id')
    .where('id', '>', after)
    .where((where) => isExpired(where, before))
    .where((where) => {
      const entries = where
        .selectFrom('limitLedger')
        .select('email')
        .whereRef('limitLedger.requestId', '=', 'limitRequests.id');
      return where.or([
        where('reason', '!=', ''),
        where.exists(entries.where(isSuperseded)),
        where.not(where.exists(entries)),
      ]);
    })
    .orderBy('id')
    .limit(REQUESTS_A_BATCH)
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes a request in one transaction, so that it never exists in part. */
async function forgetRequest(trx: LimitTransaction, id: string, before: Date): Promise<number> {
  const emptied = await trx
    .updateTable('limitRequests')
    .set({ reason: '', comment: null, evidence: null })
    .where('id', '=', id)
    .where((where) => isExpired(where, before))
    .executeTakeFirst();
  if (emptied.numUpdatedRows === 0n) return 0;
  const entries = await trx
    .deleteFrom('limitLedger')
    .where('requestId', '=', id)
    .where(isSuperseded)
    .executeTakeFirst();
  const people = await trx
    .deleteFrom('limitRequestPeople')
    .where('requestId', '=', id)
    .where('email', 'not in', trx.selectFrom('limitLedger').select('email').where('requestId', '=', id))
    .executeTakeFirst();
  const questions = await trx.deleteFrom('limitQuestions').where('requestId', '=', id).executeTakeFirst();
  const turns = await trx.deleteFrom('limitTurns').where('requestId', '=', id).executeTakeFirst();
  const request = await trx
    .deleteFrom('limitRequests')
    .where('id', '=', id)
    .where((where) =>
      where.not(where.exists(where.selectFrom('limitLedger').select('email').where('limitLedger.requestId', '=', id))),
    )
    .executeTakeFirst();
  const deleted = [entries, people, questions, turns, request].map(({ numDeletedRows }) => Number(numDeletedRows));
  // A request that lost only its reason counts too.
  return Math.max(
    1,
    deleted.reduce((sum, rows) => sum + rows, 0),
  );
}

/** Returns the keys of the cards whose requests may still change. */
export async function cardsStillReferenced(
  trx: DatabaseTransaction,
  ended: readonly EndedMessage<AboutRequest>[],
): Promise<ReadonlySet<string>> {
  const open = await withLimits(trx)
    .selectFrom('limitRequests')
    .select('id')
    .where(
      'id',
      'in',
      ended.map(({ payload }) => payload.requestId),
    )
    .where('state', 'in', UNFINISHED)
    .execute();
  const ids = new Set(open.map(({ id }) => id));
  return new Set(ended.flatMap(({ key, payload }) => (ids.has(payload.requestId) ? [key] : [])));
}
