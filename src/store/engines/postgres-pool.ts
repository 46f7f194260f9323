import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { asStoreFault } from './store-fault.ts';

/** How many connections one process opens to Postgres at most; docs/operating.md names it. */
export const POSTGRES_POOL_SIZE = 8;

/**
 * Nothing waits for ever. Postgres ends what it still gets (a replica that stopped inside a transaction holds up the
 * others no longer); `query_timeout` ends what a network swallows, so it is the longest.
 *
 * They are set by statements: pgbouncer refuses a connection that sets them in its startup packet.
 */
const BOUNDS_MS = { statement_timeout: 8_000, lock_timeout: 5_000, idle_in_transaction_session_timeout: 10_000 };
const setBounds = (scope: 'session' | 'local') =>
  Object.entries(BOUNDS_MS)
    .map(([name, ms]) => `set ${scope} ${name} = ${ms}`)
    .join('; ');

/** The bounds of one transaction: behind a pooler, its connection to Postgres may be one that has none. */
export const TRANSACTION_BOUNDS = setBounds('local');

const POOL: PoolConfig = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
};

/** Migrations wait for each other, and may rewrite a large table. */
const MIGRATION_BOUNDS: PoolConfig = {
  connectionTimeoutMillis: POOL.connectionTimeoutMillis,
  keepAlive: true,
  keepAliveInitialDelayMillis: POOL.keepAliveInitialDelayMillis,
};

/** One connection without bounds of time, for what runs once at the start. */
export function createMigrationPool(connectionString: string, onIdleError: (error: Error) => void): PostgresPool {
  return watch(new Pool({ connectionString, max: 1, ...MIGRATION_BOUNDS }), onIdleError);
}

/** The pool that the program works with. */
export function createPostgresPool(connectionString: string, onIdleError: (error: Error) => void): PostgresPool {
  return watch(new Pool({ connectionString, max: POSTGRES_POOL_SIZE, ...POOL }), onIdleError, setBounds('session'));
}

/**
 * Throws away connections that are stuck. A query that was given up is still under way for its connection, and the next user
 * of that one waits behind it; and if one is stuck, those that were opened before have likely gone the same way.
 *
 * @param first a statement with which each connection begins
 */
function watch(pool: Pool, onIdleError: (error: Error) => void, first?: string): PostgresPool {
  const prepared = new WeakSet<PoolClient>();
  const openedAt = new WeakMap<PoolClient, number>();
  let suspectBefore = Number.NEGATIVE_INFINITY;
  // Without a listener, a connection that breaks while idle (a restart of Postgres) ends the whole process.
  pool.on('error', onIdleError);
  pool.on('connect', (client) => {
    openedAt.set(client, performance.now());
    // A connection that breaks while the pool closes it has lost the pool's own listener by then.
    client.on('error', () => {});
    const query = client.query.bind(client);
    const watched = async (sql: string, values?: unknown[]) => {
      try {
        return await query(sql, values);
      } catch (error) {
        if (isStuck(error)) {
          suspectBefore = performance.now();
          void client.end().catch(() => undefined);
        }
        throw asStoreFault(error);
      }
    };
    Object.assign(client, { query: watched });
  });
  const connect = async (): Promise<PostgresPoolClient> => {
    for (;;) {
      const client = await pool.connect().catch((error: unknown) => {
        throw asStoreFault(error);
      });
      if ((openedAt.get(client) ?? Number.POSITIVE_INFINITY) < suspectBefore) {
        client.release(true);
        continue;
      }
      if (first === undefined || prepared.has(client)) return client;
      prepared.add(client);
      try {
        await client.query(first);
        return client;
      } catch (error) {
        client.release(true);
        throw error;
      }
    }
  };
  return { connect, end: () => pool.end(), options: pool.options };
}

/** `pg` gives up by itself, and says so in words alone. */
function isStuck(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
