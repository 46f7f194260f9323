import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient, PoolConfig } from 'pg';
import { toLibpqAddress } from './libpq-address.ts';
import { asStoreFault } from './store-fault.ts';

/** docs/operating.md names this number. */
export const POSTGRES_POOL_SIZE = 8;

/**
 * Postgres ends the queries that reach it (a replica that stopped inside a transaction no longer blocks the others).
 * `query_timeout` ends queries that the network lost, so it is the longest. These are set by statements, because
 * pgbouncer refuses a connection that sets them in its startup packet.
 */
const BOUNDS_MS = { statement_timeout: 8_000, lock_timeout: 5_000, idle_in_transaction_session_timeout: 10_000 };
const setBounds = (scope: 'session' | 'local') =>
  Object.entries(BOUNDS_MS)
    .map(([name, ms]) => `set ${scope} ${name} = ${ms}`)
    .join('; ');

/** The limits of one transaction. Behind a pooler, its connection to Postgres may not have them. */
export const TRANSACTION_BOUNDS = setBounds('local');

const POOL: PoolConfig = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
};

/** Without time limits: migrations wait for each other, and may rewrite a large table. */
const MIGRATION_BOUNDS: PoolConfig = {
  connectionTimeoutMillis: POOL.connectionTimeoutMillis,
  keepAlive: true,
  keepAliveInitialDelayMillis: POOL.keepAliveInitialDelayMillis,
};

/** Kysely makes the pool with its first query. A process with SQLite never loads the package. */
type PoolMaker = () => Promise<PostgresPool>;

async function createPool(address: string, config: PoolConfig): Promise<Pool> {
  const { Pool } = await import('pg');
  return new Pool({ ...config, connectionString: toLibpqAddress(address) });
}

export const migrationPool =
  (address: string, onIdleError: (error: Error) => void): PoolMaker =>
  async () =>
    watch(await createPool(address, { max: 1, ...MIGRATION_BOUNDS }), onIdleError);

export const postgresPool =
  (address: string, onIdleError: (error: Error) => void): PoolMaker =>
  async () => {
    const pool = await createPool(address, { max: POSTGRES_POOL_SIZE, ...POOL });
    return watch(pool, onIdleError, setBounds('session'));
  };

/**
 * Discards stuck connections: a query that timed out still occupies its connection, and the next user waits behind it.
 * If one is stuck, connections that were opened earlier are probably stuck too.
 */
function watch(pool: Pool, onIdleError: (error: Error) => void, first?: string): PostgresPool {
  const prepared = new WeakSet<PoolClient>();
  const openedAt = new WeakMap<PoolClient, number>();
  let suspectBefore = Number.NEGATIVE_INFINITY;
  // Without a listener, a connection that breaks while idle (a restart of Postgres) ends the whole process.
  pool.on('error', onIdleError);
  pool.on('connect', (client) => {
    openedAt.set(client, performance.now());
    // When the pool closes a connection, it has already removed its own listener, so a break would end the process.
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

/** `pg` raises this time-out itself, and identifies it only by its message. */
const isStuck = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout';
