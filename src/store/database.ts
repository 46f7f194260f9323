import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import { Pool } from 'pg';
import type { AnalyticsDayTables } from '../analytics/analytics-day-table.ts';
import type { SubscriptionTables } from '../schedule/subscription-table.ts';
import type { OutboxTables } from '../outbox/delivery-table.ts';
import type { SeenEventTables } from '../slack/seen-event-table.ts';
import type { AuditTables } from './audit-table.ts';
import { handStoreTime } from './lease.ts';
import { migrate } from './migrate.ts';
import { NodeSqliteDialect } from './node-sqlite.ts';
import { explainStoreFault, StoreError } from './store-error.ts';

/** The tables of the ground floor. A feature adds its own with `db.withTables<ItsTables>()`. */
export type Tables = AnalyticsDayTables & SubscriptionTables & OutboxTables & SeenEventTables & AuditTables;

export type Database = Kysely<Tables>;
/** What may be used inside a transaction. The outer `Database` waits for ever there on SQLite. */
export type DatabaseTransaction = Transaction<Tables>;
export type Engine = 'sqlite' | 'postgres';

export interface Store {
  db: Database;
  engine: Engine;
  close(): Promise<void>;
}

/** How many connections one process opens to Postgres. */
const POSTGRES_POOL_SIZE = 8;

function connect(databaseUrl: string, onIdleError: (error: Error) => void): { db: Database; engine: Engine } {
  if (databaseUrl.startsWith('file:')) {
    return { db: new Kysely({ dialect: new NodeSqliteDialect(databaseUrl.slice('file:'.length)) }), engine: 'sqlite' };
  }
  const pool = new Pool({ connectionString: databaseUrl, max: POSTGRES_POOL_SIZE, connectionTimeoutMillis: 10_000 });
  // Without a listener, a connection that breaks while idle (a restart of Postgres) ends the whole process.
  pool.on('error', onIdleError);
  // A connection that breaks while the pool closes it has lost the pool's own listener by then.
  pool.on('connect', (client) => void client.on('error', () => {}));
  return { db: new Kysely({ dialect: new PostgresDialect({ pool }) }), engine: 'postgres' };
}

/**
 * Opens the database that `databaseUrl` names and brings its schema up to date.
 *
 * @param databaseUrl `file:path` for SQLite, `postgres://…` for Postgres
 * @param onIdleError told of a Postgres connection that broke between two queries; the pool replaces it
 * @param time what leases and due times follow in place of the engine's own time, for tests and the sandbox
 * @throws StoreError with one sentence for the operator
 * @example const store = await openStore('file:data/quartermaster.db');
 */
export async function openStore(
  databaseUrl: string,
  onIdleError: (error: Error) => void = () => {},
  time?: () => Date,
): Promise<Store> {
  const { db, engine } = connect(databaseUrl, onIdleError);
  if (time) handStoreTime(db, time);
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy().catch(() => undefined);
    if (error instanceof StoreError) throw error;
    throw new StoreError(explainStoreFault(error, databaseUrl), { cause: error });
  }
  return { db, engine, close: () => db.destroy() };
}
