import { sql } from 'kysely';
import type { Engine } from '../../store/store.ts';
import type { Database } from '../../store/tables.ts';
import { MAX_ASKED_MS } from '../../base/time/back-off.ts';
import { isRunningElsewhere } from '../../store/health/first-process.ts';
import { isPlausiblyFuture, leaseIsOver, storeNow, untilMs } from '../../store/lease.ts';
import type { Delivery } from '../delivery-table.ts';

// The lists of states are literal, as in the partial indexes: a bound value would keep SQLite from using those.
const QUEUED = sql`state in ('waiting', 'unknown')`;
const UNDER_WAY = sql`state in ('claimed', 'posting')`;

/** Slack’s longest pause is the longest rest. */
const rests = (db: Database) => isPlausiblyFuture(db, 'rest.channelRestsUntil', MAX_ASKED_MS);

/**
 * The replica that enqueued a message sends it: another one would first have to read the same figures, and on a morning
 * each of them would do so. After this time, or if that replica has stopped, every other one sends it, too.
 */
const FIRST_RIGHT_MS = 10_000;

/**
 * The head of each channel's queue, unless another delivery of that channel is under way or the channel rests; and
 * deliveries whose process let its lease pass. Costs as much as there are channels.
 */
function selectClaimable(db: Database, engine: Engine, replica: string, leaseMs: number) {
  const now = storeNow(db);
  // Without this, SQLite reads all that is queued once for each channel. It keeps the written order of a cross join.
  const byQueue = engine === 'sqlite' ? sql`indexed by deliveries_queue` : sql``;
  // Postgres joins each head with each due delivery as long as it has not counted them: on the first large morning.
  const fromHeads =
    engine === 'sqlite'
      ? sql`heads cross join deliveries as delivery where delivery.key = heads.key`
      : sql`deliveries as delivery where delivery.key = any (array (select key from heads))`;
  // The one process of SQLite shares with none.
  const isLeftToAnother =
    engine === 'sqlite'
      ? sql`false`
      : sql`delivery.next_attempt_at > ${storeNow(db, -FIRST_RIGHT_MS)} and ${isRunningElsewhere(db, 'delivery.leasedBy', replica)}`;
  return sql<{ key: string }>`
    with recursive queues (channel) as (
      select min(channel) from deliveries ${byQueue} where ${QUEUED}
      union all
      select (select min(next.channel) from deliveries as next ${byQueue} where next.${QUEUED} and next.channel > queues.channel)
      from queues where queues.channel is not null
    ), heads (key) as (
      select (
        select first.key from deliveries as first ${byQueue} where first.${QUEUED} and first.channel = queues.channel
        order by first.next_attempt_at, first.created_at, first.key limit 1
      )
      from queues
      where queues.channel is not null
        and not exists (select 1 from deliveries as other where other.${UNDER_WAY} and other.channel = queues.channel)
        and not exists (
          select 1 from deliveries as rest where rest.channel = queues.channel and ${rests(db)}
        )
      union all
      select key from deliveries where ${UNDER_WAY} and ${leaseIsOver(db, leaseMs)}
    )
    select delivery.key from ${fromHeads} and (
      (delivery.${QUEUED} and delivery.next_attempt_at <= ${now} and not (${isLeftToAnother}))
      or (delivery.${UNDER_WAY} and ${leaseIsOver(db, leaseMs, 'delivery.leasedUntil')})
    )
    order by delivery.next_attempt_at, delivery.created_at, delivery.key
    limit 1
    ${engine === 'postgres' ? sql`for update of delivery skip locked` : sql``}`;
}

/**
 * Returns undefined if none is due. A channel gets one delivery at a time and rests for a second after each. Deliveries
 * of a dead process are free again when its lease ends. It is one statement without waiting: a process cannot be
 * suspended in the middle of it, and it skips deliveries that another process is claiming.
 */
export async function claimNext(
  db: Database,
  engine: Engine,
  replica: string,
  leaseMs: number,
): Promise<Delivery | undefined> {
  for (;;) {
    try {
      const { rows } = await claimStatement(db, engine, replica, leaseMs).execute(db);
      return rows[0];
    } catch (error) {
      // Another replica claimed another delivery of that channel at the same instant, and the database accepted that one.
      if (!isSecondInChannel(error)) throw error;
    }
  }
}

export function claimStatement(db: Database, engine: Engine, replica: string, leaseMs: number) {
  return sql<Delivery>`
    update deliveries
    set state = 'claimed', leased_by = ${replica}, leased_until = ${storeNow(db, leaseMs)}, attempts = attempts + 1
    where key = (${selectClaimable(db, engine, replica, leaseMs)})
    returning *`;
}

function isSecondInChannel(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'deliveries_under_way';
}

/** Returns the time until the next claim; below zero: a due one waits for its channel; undefined: nothing is open. */
export async function untilNextMs(db: Database): Promise<number | undefined> {
  const [row] = (await nextStatement(db).execute(db)).rows;
  if (!row) return undefined;
  const [earliest] = [row.waiting, row.unknown, row.lease].filter((at) => at !== null).toSorted();
  return earliest === undefined ? undefined : untilMs(db, earliest, row.now);
}

export function nextStatement(db: Database) {
  return sql<{ now: string; waiting: string | null; unknown: string | null; lease: string | null }>`
    select ${storeNow(db)} as now,
      (select min(next_attempt_at) from deliveries where state = 'waiting') as waiting,
      (select min(next_attempt_at) from deliveries where state = 'unknown') as unknown,
      (select min(leased_until) from deliveries where ${UNDER_WAY}) as lease`;
}

/**
 * Ends the leases of this process on deliveries that it doesn't know of: the database made a claim whose answer was lost.
 * The next claim continues as after the end of a process.
 *
 * @param held the keys of the attempts of this process
 */
export async function releaseLost(db: Database, replica: string, held: readonly string[]): Promise<string[]> {
  const released = await db
    .updateTable('deliveries')
    .set({ leasedUntil: storeNow(db) })
    .where((where) => where.and({ state: 'claimed', leasedBy: replica }))
    .$if(held.length > 0, (query) => query.where('key', 'not in', held))
    .returning('key')
    .execute();
  return released.map(({ key }) => key);
}

export async function hasWork(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select key from deliveries
    where ${UNDER_WAY} or (${QUEUED} and next_attempt_at <= ${storeNow(db)}) limit 1`.execute(db);
  return rows.length > 0;
}

/** A delivery that has been due for this long, in a channel that does not rest, was forgotten. */
export const OVERDUE_MS = 5 * 60_000;

/**
 * Describes the delivery that has waited longest although it is due and its channel does not rest. The same text twice
 * means that neither it nor the delivery under way in its channel had another attempt in between.
 */
export async function findOverdue(db: Database): Promise<string | undefined> {
  const { rows } = await sql<{ key: string; attempts: number; ahead: string | null }>`
    select late.key, late.attempts,
      (select max(other.key || ' ' || other.attempts) from deliveries as other
        where other.${UNDER_WAY} and other.channel = late.channel) as ahead
    from deliveries as late
    where late.${QUEUED} and late.next_attempt_at <= ${storeNow(db, -OVERDUE_MS)}
      and not exists (
        select 1 from deliveries as rest
        where rest.channel = late.channel and ${rests(db)}
      )
    order by late.next_attempt_at, late.key limit 1`.execute(db);
  const [row] = rows;
  return row && [row.key, row.attempts, row.ahead ?? ''].join(' ');
}
