import {
  sql,
  SqliteAdapter,
  type DialectAdapter,
  type QueryExecutorProvider,
  type RawBuilder,
  type SqlBool,
} from 'kysely';

/**
 * With Postgres, leases, paces and due times follow the clock of the database, which replicas with different clocks
 * share. With SQLite it is a monotonic clock of this process.
 */

export type StoreHandle = QueryExecutorProvider;

const overriddenTimes = new WeakMap<DialectAdapter, () => Date>();

/** Gives a store a time that a test or the page of the sandbox moves. */
export function overrideStoreTime(store: StoreHandle, now: () => Date): void {
  overriddenTimes.set(store.getExecutor().adapter, now);
}

const processNames = new WeakMap<DialectAdapter, string>();

/** Gives the handles of a store the name of this process, which is unique to each start. */
export function nameProcess(store: StoreHandle, process: string): void {
  processNames.set(store.getExecutor().adapter, process);
}

/** Null in tools that send no messages. */
export const processOf = (store: StoreHandle): string | null => processNames.get(store.getExecutor().adapter) ?? null;

/** The wall clock at the start of the process, advanced by a monotonic clock. */
const steadyNow = () => new Date(performance.timeOrigin + performance.now());

/** Milliseconds fit into it for three hundred thousand years. */
const POSTGRES_FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

/** The store's time as text, like all times in it, plus an offset. */
export function storeNow(store: StoreHandle, offsetMs = 0): RawBuilder<string> {
  const { adapter } = store.getExecutor();
  const override = overriddenTimes.get(adapter);
  if (override ?? adapter instanceof SqliteAdapter) {
    return sql<string>`${new Date((override ?? steadyNow)().getTime() + offsetMs).toISOString()}`;
  }
  const offset = sql.lit(`${Math.round(offsetMs)} milliseconds`);
  // Postgres can use an index only with a time that is constant within the statement, unlike clock_timestamp().
  return sql<string>`to_char((statement_timestamp() + interval ${offset}) at time zone 'UTC', ${sql.lit(POSTGRES_FORMAT)})`;
}

/** Whether a transaction can lock rows. SQLite has one writer at a time, and needs no such lock. */
export const hasRowLocks = (store: StoreHandle) => !(store.getExecutor().adapter instanceof SqliteAdapter);

/** Reads the store's time, for decisions outside of the store. */
export async function readStoreNow(store: StoreHandle): Promise<Date> {
  const { rows } = await sql<{ now: string }>`select ${storeNow(store)} as now`.execute(store);
  return new Date(rows[0]?.now ?? Number.NaN);
}

/** Counts from the store's time that the same statement returned. */
export function untilMs(store: StoreHandle, instant: string, storeTime: string): number {
  // A time that is moved by hand may have moved since the statement ran.
  const override = overriddenTimes.get(store.getExecutor().adapter);
  return Date.parse(instant) - (override?.().getTime() ?? Date.parse(storeTime));
}

/** Statements that start together may see leases slightly in the future. More than this means a moved clock. */
const TOLERANCE_MS = 60_000;

/**
 * An SQL condition: an instant is in the future, but not so far that only a wrong clock can have written it.
 *
 * @param longestMs how far in the future a right clock writes it
 */
export function isPlausiblyFuture(store: StoreHandle, column: string, longestMs: number): RawBuilder<SqlBool> {
  const instant = sql.ref(column);
  return sql<SqlBool>`(${instant} > ${storeNow(store)} and ${instant} <= ${storeNow(store, longestMs + TOLERANCE_MS)})`;
}

/** An SQL condition: no process holds the lease, or it expired. An end later than `leaseMs` is of a wrong clock. */
export function leaseIsOver(store: StoreHandle, leaseMs: number, column = 'leasedUntil'): RawBuilder<SqlBool> {
  const lease = sql.ref(column);
  return sql<SqlBool>`(${lease} is null or ${lease} <= ${storeNow(store)} or ${lease} > ${storeNow(store, leaseMs + TOLERANCE_MS)})`;
}

export function leaseHolds(store: StoreHandle, column = 'leasedUntil'): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref(column)} > ${storeNow(store)})`;
}
