import {
  sql,
  SqliteAdapter,
  type DialectAdapter,
  type QueryExecutorProvider,
  type RawBuilder,
  type SqlBool,
} from 'kysely';

/**
 * Leases, paces and due times follow one clock: with Postgres the database's, which all replicas share; with SQLite one of
 * this process that no change of the wall clock moves. So replicas whose own clocks differ agree on whose lease has ended.
 */

/** A database, or a transaction in it. */
export type Timed = QueryExecutorProvider;

const handedTimes = new WeakMap<DialectAdapter, () => Date>();

/** Has a store follow a time that a test, or the page of the sandbox, moves. */
export function handStoreTime(store: Timed, now: () => Date): void {
  handedTimes.set(store.getExecutor().adapter, now);
}

/** The wall clock as it was when the process started, moved on by a clock that only counts. */
const steadyNow = () => new Date(performance.timeOrigin + performance.now());

/** Milliseconds fit into it for three hundred thousand years. */
const POSTGRES_FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

/** The time of the store, as text like all times in it, moved by some milliseconds; for use inside a statement. */
export function storeNow(store: Timed, offsetMs = 0): RawBuilder<string> {
  const { adapter } = store.getExecutor();
  const handed = handedTimes.get(adapter);
  if (handed ?? adapter instanceof SqliteAdapter) {
    return sql<string>`${new Date((handed ?? steadyNow)().getTime() + offsetMs).toISOString()}`;
  }
  const offset = sql.lit(`${Math.round(offsetMs)} milliseconds`);
  // Not clock_timestamp(): with a time that stays within the statement, Postgres can use an index.
  return sql<string>`to_char((statement_timestamp() + interval ${offset}) at time zone 'UTC', ${sql.lit(POSTGRES_FORMAT)})`;
}

/** Asks for it, for what is decided outside of the store. */
export async function readStoreNow(store: Timed): Promise<Date> {
  const { rows } = await sql<{ now: string }>`select ${storeNow(store)} as now`.execute(store);
  return new Date(rows[0]?.now ?? Number.NaN);
}

/** How long it is until an instant, which a statement gave together with the time of the store. */
export function untilMs(store: Timed, instant: string, storeTime: string): number {
  // A time that is moved by hand may have been moved while the statement was on its way.
  const handed = handedTimes.get(store.getExecutor().adapter);
  return Date.parse(instant) - (handed?.().getTime() ?? Date.parse(storeTime));
}

/**
 * Two statements that start together may see each other’s leases a little ahead of their own time; more than this means that a
 * clock was moved.
 */
const TOLERANCE_MS = 60_000;

/**
 * Whether an instant is still to come, and not so far ahead that only a clock that was moved can have written it.
 *
 * @param longestMs how far ahead a right clock writes it
 */
export function isToCome(store: Timed, column: string, longestMs: number): RawBuilder<SqlBool> {
  const instant = sql.ref(column);
  return sql<SqlBool>`(${instant} > ${storeNow(store)} and ${instant} <= ${storeNow(store, longestMs + TOLERANCE_MS)})`;
}

/**
 * Whether a lease is free: no process holds it, or its holder let its time pass.
 *
 * @param leaseMs how long a lease of this kind lasts: none ends later from now
 */
export function leaseIsOver(store: Timed, leaseMs: number, column = 'leased_until'): RawBuilder<SqlBool> {
  const lease = sql.ref(column);
  return sql<SqlBool>`(${lease} is null or ${lease} <= ${storeNow(store)} or ${lease} > ${storeNow(store, leaseMs + TOLERANCE_MS)})`;
}

export function leaseHolds(store: Timed, column = 'leased_until'): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref(column)} > ${storeNow(store)})`;
}
