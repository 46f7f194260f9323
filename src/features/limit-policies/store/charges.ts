import { readLimitChanges, type LimitChange } from '../../limits/core/ledger.ts';
import { HOUR_MS } from '../../../core/base/time/durations.ts';
import type { Charge } from '../rules/decide-team.ts';
import type { PolicyReference } from '../rules/policy-rules.ts';
import type { PolicyDatabase, PolicyTransaction } from './policy-tables.ts';

export interface NewCharge extends Pick<Charge, 'email' | 'credits' | 'isFirst'> {
  requestId: string;
  slackId: string | null;
  /** When the raise is to end. */
  until: Date | undefined;
  /** The lead; null: the policy of the team. */
  by: string | null;
}

/** In the transaction that approves the request, after `takeTurn`. */
export async function insertCharge(
  trx: PolicyTransaction,
  { id, version }: Pick<PolicyReference, 'id' | 'version'>,
  { requestId, email, slackId, credits, isFirst, until, by }: NewCharge,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('limitTeamCharges')
    .values({
      requestId,
      policyId: id,
      policyVersion: version,
      email,
      slackId,
      credits,
      isFirst: isFirst ? 1 : 0,
      until: until?.toISOString() ?? null,
      chargedBy: by,
      at: now.toISOString(),
    })
    .execute();
}

/** A request that is decided again, or that an admin sends again, is no longer paid by the pool. */
export async function deleteCharge(trx: PolicyTransaction, requestId: string): Promise<void> {
  await trx.deleteFrom('limitTeamCharges').where('requestId', '=', requestId).execute();
}

export interface StoredCharge extends Charge {
  requestId: string;
  slackId: string | null;
  chargedBy: string | null;
}

/** Every charge that is or was in effect, oldest first, with its end as the ledger of limits knows it. */
export async function readCharges(db: PolicyDatabase): Promise<StoredCharge[]> {
  const rows = await db
    .selectFrom('limitTeamCharges as charge')
    .leftJoin('limitRequestPeople as person', (join) =>
      join.onRef('person.requestId', '=', 'charge.requestId').onRef('person.email', '=', 'charge.email'),
    )
    .selectAll('charge')
    .select('person.state')
    .orderBy('charge.at')
    .orderBy('charge.requestId')
    .execute();
  const changes = await readLimitChanges(
    db,
    rows.map(({ email }) => email),
  );
  return rows.flatMap((row): StoredCharge[] => {
    // The platform refused it, so it never was in effect.
    if (row.state === 'refused' || row.state === 'failed' || row.state === 'left_out') return [];
    const { requestId, policyId, email, slackId, credits, chargedBy } = row;
    const isFirst = row.isFirst === 1;
    const until = endOf({ ...row, isFirst }, changes.get(email) ?? []);
    return [{ requestId, policyId, email, slackId, credits, isFirst, from: new Date(row.at), until, chargedBy }];
  });
}

type Row = { requestId: string; isFirst: boolean; until: string | null; at: string; state: string | null };

/** The end of a raise is sent within minutes, also if the platform refuses the first sendings. */
const ON_TIME_MS = HOUR_MS;

/**
 * A raise ends with any later confirmed change of the limit: as planned, if its own end was set in time. A first limit
 * ends with the next permanent one, or with its undo. Until the platform confirms that, it counts: what was not sent
 * again may be set. Without its request, a raise ended as planned. Pure.
 */
function endOf(row: Row, changes: readonly LimitChange[]): Date | undefined {
  const { requestId, isFirst, until, at, state } = row;
  const planned = until === null ? undefined : new Date(until);
  switch (state) {
    case 'set':
    case 'superseded':
    case null: {
      const setAt = changes.find((change) => change.requestId === requestId)?.setAt ?? at;
      const next = changes.find(
        (change) =>
          change.requestId !== requestId &&
          change.setAt > setAt &&
          (!isFirst || change.isPermanent || change.parentId === requestId),
      );
      if (!next) return state === null ? planned : undefined;
      const ended = new Date(next.setAt);
      const isOnTime = planned && next.parentId === requestId && ended.getTime() <= planned.getTime() + ON_TIME_MS;
      return isOnTime && planned < ended ? planned : ended;
    }
    // Its outcome is not known yet.
    default:
      return undefined;
  }
}
