import { sql, type SqlBool } from 'kysely';
import type { Database, DatabaseTransaction } from '../store/tables.ts';
import { leaseHolds, processOf, storeNow } from '../store/lease.ts';
import { isOpen, type Delivery, type DeliveryState } from './delivery-table.ts';
import { removeDeleted } from './deleted-keys.ts';
import type { MessagePlace } from './poster.ts';
import type { LostReader } from './reader.ts';

/** Slack takes about one message a second in a channel: https://docs.slack.dev/apis/web-api/rate-limits */
export const CHANNEL_PACE_MS = 1_000;

/** The states that are not final, in exactly the words of their index. */
export const OPEN_DELIVERIES = sql<SqlBool>`state in ('waiting', 'claimed', 'posting', 'unknown')`;

export interface NewDelivery {
  /** Names an event that is posted only once, such as `digest:settings:2026-03-02`. */
  key: string;
  /** The name of the `DeliveryKind` that prepares its message. */
  kind: string;
  channel: string;
  payload: unknown;
  dueAt: Date;
  /** The id of the subject, for finding its messages later; empty: they are not findable. */
  about?: string | undefined;
  /** Distinguishes the messages about one thing, such as the local date of a digest. */
  slot?: string | undefined;
}

const REFUSED_STEP = 'refused';

export async function record(
  trx: DatabaseTransaction,
  key: string,
  at: Date,
  step: string,
  detail: string | null,
): Promise<void> {
  const { steps } = await trx
    .selectFrom('deliveryHistory')
    .select((select) => select.fn.countAll().as('steps'))
    .where('deliveryKey', '=', key)
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('deliveryHistory')
    .values({ deliveryKey: key, position: Number(steps), at: at.toISOString(), step, detail })
    .execute();
}

/** Runs as many statements as for one. @returns the keys that were new */
export async function enqueueAll(
  trx: DatabaseTransaction,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (deliveries.length === 0) return new Set();
  const inserted = await trx
    .insertInto('deliveries')
    .values(
      deliveries.map((one) => ({
        ...newRow(one, now, 'waiting', null),
        nextAttemptAt: storeNow(trx),
        leasedBy: processOf(trx),
      })),
    )
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .execute();
  const keys = await removeDeleted(
    trx,
    inserted.map(({ key }) => key),
  );
  // A new delivery has no history.
  const planned = deliveries
    .filter(({ key }) => keys.has(key))
    .map(({ key, dueAt }) => ({
      deliveryKey: key,
      position: 0,
      at: now.toISOString(),
      step: 'planned',
      detail: `due ${dueAt.toISOString()}`,
    }));
  if (planned.length > 0) await trx.insertInto('deliveryHistory').values(planned).execute();
  return keys;
}

/** Leaves out deliveries that may have been posted. @returns the keys that were found waiting */
export async function makeDueNow(
  trx: DatabaseTransaction,
  keys: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const updated = await trx
    .updateTable('deliveries')
    .set({ dueAt: now.toISOString(), nextAttemptAt: storeNow(trx), leasedBy: processOf(trx) })
    .where('key', 'in', keys)
    .where('state', '=', 'waiting')
    .where('firstPostingAt', 'is', null)
    .returning('key')
    .execute();
  return new Set(updated.map(({ key }) => key));
}

/** People can see why it is not posted. */
export async function enqueueSkipped(
  trx: DatabaseTransaction,
  delivery: NewDelivery,
  now: Date,
  reason: string,
): Promise<void> {
  const inserted = await trx
    .insertInto('deliveries')
    .values(newRow(delivery, now, 'skipped', reason))
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirst();
  if (!inserted.numInsertedOrUpdatedRows) return;
  const keys = await removeDeleted(trx, [delivery.key]);
  if (keys.has(delivery.key)) await record(trx, delivery.key, now, 'skipped', reason);
}

function newRow(delivery: NewDelivery, now: Date, state: DeliveryState, reason: string | null) {
  const { key, kind, channel, about = '', slot = null } = delivery;
  const payload = JSON.stringify(delivery.payload);
  const at = now.toISOString();
  const times = { dueAt: delivery.dueAt.toISOString(), nextAttemptAt: at, createdAt: at };
  return { key, kind, channel, payload, about, slot, state, reason, attempts: 0, ...times };
}

/**
 * Runs before the request leaves: after a crash, the message may be in the channel, and its history is read before
 * anything is posted again.
 *
 * @returns `false` if the lease was lost: then nothing may be posted
 */
export async function markPosting(
  db: Database,
  delivery: Delivery,
  now: Date,
  details: { memo?: string; thread?: MessagePlace | undefined } = {},
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const updated = await trx
      .updateTable('deliveries')
      .set({
        state: 'posting',
        firstPostingAt: delivery.firstPostingAt ?? now.toISOString(),
        lastPostingAt: storeNow(trx),
        unreadableSince: null,
        ...(details.memo === undefined ? {} : { memo: details.memo }),
        ...(details.thread ? { threadChannel: details.thread.channel, threadTs: details.thread.ts } : {}),
      })
      .where('key', '=', delivery.key)
      .where('state', '=', 'claimed')
      .where('leasedBy', '=', delivery.leasedBy)
      .where('attempts', '=', delivery.attempts)
      .where(leaseHolds(trx))
      .executeTakeFirst();
    if (updated.numUpdatedRows === 0n) return false;
    await record(trx, delivery.key, now, 'posting', null);
    return true;
  });
}

export type Settlement =
  | { state: 'sent'; channel: string; ts: string; found: boolean }
  /** `restsMs`: how long its channel rests after it. `isRefusal`: Slack refused, and the refusal may pass. */
  | { state: 'waiting'; delayMs: number; reason: string; restsMs?: number; isRefusal?: boolean }
  | { state: 'unknown'; delayMs: number; reason: string; isUnreadable?: boolean }
  | { state: 'skipped'; reason: string; lost?: LostReader; memo?: string }
  /** `code`: Slack's code, if Slack refused the message. */
  | { state: 'failed'; reason: string; code?: string };

/** @param applyConsequences runs in the same transaction @returns `false` if another replica took the delivery over */
export async function settle(
  db: Database,
  delivery: Delivery,
  settlement: Settlement,
  now: Date,
  applyConsequences: (trx: DatabaseTransaction) => Promise<void> = () => Promise.resolve(),
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const updated = await trx
      .updateTable('deliveries')
      .set({
        ...columnsOf(trx, delivery, settlement, now),
        state: settlement.state,
        // The next attempt is best made where the last one was.
        leasedBy: isOpen(settlement) ? delivery.leasedBy : null,
        leasedUntil: null,
      })
      .where('key', '=', delivery.key)
      .where('state', 'in', ['claimed', 'posting'])
      .where('leasedBy', '=', delivery.leasedBy)
      // One process may hold it twice in a row: the first attempt must not end the second.
      .where('attempts', '=', delivery.attempts)
      .executeTakeFirst();
    if (updated.numUpdatedRows === 0n) return false;
    const isWait = settlement.state === 'waiting' || (settlement.state === 'unknown' && settlement.isUnreadable);
    const isSameWait = isWait && settlement.reason === delivery.reason;
    if (!isSameWait) await record(trx, delivery.key, now, stepOf(settlement), detailOf(settlement));
    await applyConsequences(trx);
    return true;
  });
}

function columnsOf(trx: DatabaseTransaction, delivery: Delivery, settlement: Settlement, now: Date) {
  // This attempt posted nothing, so only an earlier attempt may have left a message in the channel.
  const { firstPostingAt, lastPostingAt } = delivery;
  const postedBefore = { firstPostingAt, lastPostingAt };
  switch (settlement.state) {
    case 'sent':
      return {
        sentAt: now.toISOString(),
        channelRestsUntil: storeNow(trx, CHANNEL_PACE_MS),
        messageChannel: settlement.channel,
        messageTs: settlement.ts,
        reason: null,
      };
    case 'unknown': {
      const since = delivery.unreadableSince ?? storeNow(trx);
      return {
        nextAttemptAt: storeNow(trx, settlement.delayMs),
        reason: settlement.reason,
        unreadableSince: settlement.isUnreadable ? since : null,
      };
    }
    case 'waiting':
      return {
        // A process that was suspended for longer than its lease would count the wait from a time that is long past.
        nextAttemptAt: sql<string>`case when ${leaseHolds(trx)} then ${storeNow(trx, settlement.delayMs)} else ${storeNow(trx)} end`,
        reason: settlement.reason,
        unreadableSince: null,
        ...(settlement.restsMs === undefined ? {} : { channelRestsUntil: storeNow(trx, settlement.restsMs) }),
        ...postedBefore,
      };
    case 'skipped': {
      const { reason, memo } = settlement;
      return { reason, ...postedBefore, ...(memo === undefined ? {} : { memo }) };
    }
    case 'failed':
      return { reason: settlement.reason, ...postedBefore };
    default:
      return settlement satisfies never;
  }
}

/**
 * Counts from the first refusal without any other outcome since. The number of attempts cannot answer this: a digest
 * that waited for its day has made many before. Undefined if the last attempt ended in another way.
 */
export async function readRefusedSince(db: Database, key: string): Promise<Date | undefined> {
  const { rows } = await sql<{ since: string | null }>`
    select min(at) as since from delivery_history
    where delivery_key = ${key} and step = ${REFUSED_STEP} and position > (
      select coalesce(max(position), -1) from delivery_history
      where delivery_key = ${key} and step not in (${REFUSED_STEP}, 'posting')
    )`.execute(db);
  const since = rows[0]?.since;
  return since == null ? undefined : new Date(since);
}

function stepOf(settlement: Settlement): string {
  if (settlement.state === 'unknown' && settlement.isUnreadable) return 'unreadable';
  if (settlement.state === 'waiting' && settlement.isRefusal) return REFUSED_STEP;
  return settlement.state === 'sent' && settlement.found ? 'found' : settlement.state;
}

function detailOf(settlement: Settlement): string {
  if (settlement.state === 'sent') return `${settlement.channel} ${settlement.ts}`;
  return settlement.reason;
}
