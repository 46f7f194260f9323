import { sql } from 'kysely';
import type { Database, DatabaseTransaction, Engine } from '../store/database.ts';
import type { Delivery, DeliveryState } from './delivery-table.ts';
import type { MessagePlace } from './poster.ts';

/** How long a replica may hold a delivery without a sign of life. Longer than a post may take (`POST_TIMEOUT_MS`). */
const LEASE_MS = 60_000;

/** Slack takes about one message a second in a channel: https://docs.slack.dev/apis/web-api/rate-limits */
export const CHANNEL_PACE_MS = 1_000;

/** Any number will do, as long as only the claiming of deliveries uses it. */
const CLAIM_LOCK = 4_715_301;

export interface DeliveryWish {
  /** What must happen only once, such as `digest:settings:2026-03-02`. */
  key: string;
  /** Who can prepare its message: the name of a `DeliveryKind`. */
  kind: string;
  channel: string;
  payload: unknown;
  dueAt: Date;
}

/** Adds a step to a delivery's history. */
export async function record(
  trx: DatabaseTransaction,
  key: string,
  at: Date,
  step: string,
  detail: string | null,
): Promise<void> {
  const { steps } = await trx
    .selectFrom('delivery_history')
    .select((select) => select.fn.countAll().as('steps'))
    .where('delivery_key', '=', key)
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('delivery_history')
    .values({ delivery_key: key, position: Number(steps), at: at.toISOString(), step, detail })
    .execute();
}

/**
 * Puts a message into the outbox, in the transaction of its cause.
 *
 * @returns `false` when a delivery of that key is there already
 * @example await enqueue(trx, { key: 'digest:settings:2026-03-02', kind: 'digest', channel: 'C1', payload, dueAt }, now);
 */
export async function enqueue(trx: DatabaseTransaction, wish: DeliveryWish, now: Date): Promise<boolean> {
  const inserted = await trx
    .insertInto('deliveries')
    .values(newRow(wish, now, 'waiting', null))
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirst();
  if (!inserted.numInsertedOrUpdatedRows) return false;
  await record(trx, wish.key, now, 'planned', `due ${wish.dueAt.toISOString()}`);
  return true;
}

/** Notes a delivery that is not going to happen, so that people can see why. */
export async function enqueueSkipped(
  trx: DatabaseTransaction,
  wish: DeliveryWish,
  now: Date,
  reason: string,
): Promise<void> {
  const inserted = await trx
    .insertInto('deliveries')
    .values(newRow(wish, now, 'skipped', reason))
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows) await record(trx, wish.key, now, 'skipped', reason);
}

function newRow(wish: DeliveryWish, now: Date, state: DeliveryState, reason: string | null) {
  return {
    key: wish.key,
    kind: wish.kind,
    channel: wish.channel,
    payload: JSON.stringify(wish.payload),
    state,
    reason,
    attempts: 0,
    due_at: wish.dueAt.toISOString(),
    next_attempt_at: now.toISOString(),
    created_at: now.toISOString(),
  };
}

/**
 * Takes the next delivery that is due under a lease, or nothing. A channel is served by one delivery at a time and at most
 * one a second, across all replicas; what a dead replica held is free again when its lease has ended.
 */
export async function claimNext(
  db: Database,
  engine: Engine,
  replica: string,
  now: Date,
): Promise<Delivery | undefined> {
  const at = now.toISOString();
  const paceLimit = new Date(now.getTime() - CHANNEL_PACE_MS).toISOString();
  return db.transaction().execute(async (trx) => {
    // On Postgres two claims would not see each other's choice, so they go one after another; SQLite has one writer anyway.
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`.execute(trx);
    const next = await trx
      .selectFrom('deliveries as delivery')
      .select(['delivery.key', 'delivery.state', 'delivery.attempts'])
      .where((where) =>
        where.or([
          where.and([
            where('delivery.state', 'in', ['waiting', 'unknown']),
            where('delivery.next_attempt_at', '<=', at),
          ]),
          where.and([where('delivery.state', 'in', ['claimed', 'posting']), where('delivery.leased_until', '<=', at)]),
        ]),
      )
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('deliveries as other')
              .select('other.key')
              .whereRef('other.channel', '=', 'delivery.channel')
              .whereRef('other.key', '!=', 'delivery.key')
              .where((inner) =>
                inner.or([
                  inner.and([inner('other.state', 'in', ['claimed', 'posting']), inner('other.leased_until', '>', at)]),
                  inner.and([inner('other.state', '=', 'sent'), inner('other.sent_at', '>', paceLimit)]),
                ]),
              ),
          ),
        ),
      )
      .orderBy('delivery.next_attempt_at')
      .orderBy('delivery.created_at')
      .orderBy('delivery.key')
      .limit(1)
      .executeTakeFirst();
    if (!next) return undefined;
    return (
      trx
        .updateTable('deliveries')
        .set((set) => ({
          state: 'claimed',
          leased_by: replica,
          leased_until: new Date(now.getTime() + LEASE_MS).toISOString(),
          attempts: set('attempts', '+', 1),
        }))
        .where('key', '=', next.key)
        // Whoever held it may have settled it since the select: a message that was sent must not be taken up again.
        .where('state', '=', next.state)
        .where('attempts', '=', next.attempts)
        .returningAll()
        .executeTakeFirst()
    );
  });
}

/**
 * Notes, before the request leaves, that a post may be on its way. From here on a crash leaves a delivery whose message may
 * stand in the channel, and the channel's history is read before anything is posted again.
 *
 * @returns `false` when the lease has been lost: then nothing may be posted
 */
export async function markPosting(
  db: Database,
  delivery: Delivery,
  now: Date,
  said: { memo?: string; thread?: MessagePlace | undefined } = {},
): Promise<boolean> {
  const at = now.toISOString();
  return db.transaction().execute(async (trx) => {
    const updated = await trx
      .updateTable('deliveries')
      .set({
        state: 'posting',
        leased_until: new Date(now.getTime() + LEASE_MS).toISOString(),
        first_posting_at: delivery.first_posting_at ?? at,
        ...(said.memo === undefined ? {} : { memo: said.memo }),
        ...(said.thread ? { thread_channel: said.thread.channel, thread_ts: said.thread.ts } : {}),
      })
      .where('key', '=', delivery.key)
      .where('state', '=', 'claimed')
      .where('leased_by', '=', delivery.leased_by)
      .where('leased_until', '>', at)
      .executeTakeFirst();
    if (updated.numUpdatedRows === 0n) return false;
    await record(trx, delivery.key, now, 'posting', null);
    return true;
  });
}

/** How an attempt at a delivery ended. */
export type Settlement =
  | { state: 'sent'; channel: string; ts: string; found: boolean }
  | { state: 'waiting'; until: Date; reason: string; mayHaveArrived: boolean }
  | { state: 'unknown'; until: Date; reason: string }
  | { state: 'skipped'; reason: string }
  /** `code`: Slack's, where Slack refused the message. */
  | { state: 'failed'; reason: string; code?: string };

/**
 * Records how an attempt ended, if this replica still holds the delivery.
 *
 * @param follow does what follows from it, in the same transaction
 * @returns `false` when another replica took it over meanwhile
 */
export async function settle(
  db: Database,
  delivery: Delivery,
  settlement: Settlement,
  now: Date,
  follow: (trx: DatabaseTransaction) => Promise<void> = () => Promise.resolve(),
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const updated = await trx
      .updateTable('deliveries')
      .set({ ...columnsOf(settlement, now), state: settlement.state, leased_by: null, leased_until: null })
      .where('key', '=', delivery.key)
      .where('state', 'in', ['claimed', 'posting'])
      .where('leased_by', '=', delivery.leased_by)
      .executeTakeFirst();
    if (updated.numUpdatedRows === 0n) return false;
    const isSameWait = settlement.state === 'waiting' && settlement.reason === delivery.reason;
    if (!isSameWait) await record(trx, delivery.key, now, stepOf(settlement), detailOf(settlement));
    await follow(trx);
    return true;
  });
}

function columnsOf(settlement: Settlement, now: Date) {
  if (settlement.state === 'sent') {
    return {
      sent_at: now.toISOString(),
      message_channel: settlement.channel,
      message_ts: settlement.ts,
      reason: null,
    };
  }
  if (settlement.state === 'unknown') {
    return { next_attempt_at: settlement.until.toISOString(), reason: settlement.reason };
  }
  if (settlement.state === 'waiting') {
    return {
      next_attempt_at: settlement.until.toISOString(),
      reason: settlement.reason,
      ...(settlement.mayHaveArrived ? {} : { first_posting_at: null }),
    };
  }
  return { reason: settlement.reason };
}

function stepOf(settlement: Settlement): string {
  return settlement.state === 'sent' && settlement.found ? 'found' : settlement.state;
}

function detailOf(settlement: Settlement): string {
  if (settlement.state === 'sent') return `${settlement.channel} ${settlement.ts}`;
  return settlement.reason;
}

/** The next instant at which something may be claimed, or nothing when the outbox is empty. */
export async function nextWakeAt(db: Database): Promise<Date | undefined> {
  const row = await db
    .selectFrom('deliveries')
    .select((select) => [
      select.fn.min('next_attempt_at').filterWhere('state', 'in', ['waiting', 'unknown']).as('attempt'),
      select.fn.min('leased_until').filterWhere('state', 'in', ['claimed', 'posting']).as('lease'),
    ])
    .executeTakeFirst();
  const instants = [row?.attempt, row?.lease].filter((text): text is string => typeof text === 'string');
  const earliest = instants.toSorted()[0];
  return earliest === undefined ? undefined : new Date(earliest);
}

/** What happened to a delivery so far, oldest first. */
export async function readHistory(
  db: Database,
  key: string,
): Promise<{ at: string; step: string; detail: string | null }[]> {
  return db
    .selectFrom('delivery_history')
    .select(['at', 'step', 'detail'])
    .where('delivery_key', '=', key)
    .orderBy('position')
    .execute();
}
