import { Kysely, PostgresDialect } from 'kysely';
import type { Store } from './store.ts';
import { COLUMN_NAMES, type Database } from './tables.ts';
import { CommitObserver, type CommitEvents } from './commits.ts';
import { checkBeforeUse } from './health/heartbeat.ts';
import { readIdentity } from './identity.ts';
import { overrideStoreTime } from './lease.ts';
import { makeNewSqliteStore, migrate } from './migrate.ts';
import { NodeSqliteDialect } from './engines/sqlite-driver.ts';
import { requireConnections } from './engines/postgres-allowance.ts';
import { ObservedPostgresDialect } from './engines/postgres-dialect.ts';
import { migrationPool, postgresPool } from './engines/postgres-pool.ts';
import { describeLocation, explainStoreFault, StoreError } from './engines/store-error.ts';
import { isEmptyFile, rememberFile } from './engines/store-file.ts';

const SQLITE_PREFIX = 'file:';

/**
 * Brings the schema up to date too.
 *
 * @param databaseUrl `file:path` for SQLite, `postgres://…` for Postgres
 * @param onIdleError called with failures between queries, which are retried: a connection to Postgres, a checkpoint
 * @param time replaces the engine's own time for leases and due times, in tests and the sandbox
 * @throws StoreError with one sentence for the operator
 */
export async function openStore(
  databaseUrl: string,
  onIdleError: (error: Error) => void = () => {},
  time?: () => Date,
): Promise<Store> {
  try {
    return databaseUrl.startsWith(SQLITE_PREFIX)
      ? await openSqlite(databaseUrl, onIdleError, time)
      : await openPostgres(databaseUrl, onIdleError, time);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(explainStoreFault(error, databaseUrl), { cause: error });
  }
}

async function openSqlite(url: string, onIdleError: (error: Error) => void, time?: () => Date): Promise<Store> {
  const path = url.slice(SQLITE_PREFIX.length);
  const wasEmpty = isEmptyFile(path);
  const warnings = wasEmpty
    ? [`${path} was empty, so a new store was made in it. If there was one before, stop and restore a backup.`]
    : [];
  const commits = new CommitObserver();
  const db: Database = new Kysely({
    dialect: new NodeSqliteDialect(path, commits, onIdleError),
    plugins: [COLUMN_NAMES],
  });
  if (time) overrideStoreTime(db, time);
  return finish(db, commits, async () => {
    await makeNewSqliteStore(db.withoutPlugins());
    await migrate(db.withoutPlugins());
    return { url, engine: 'sqlite', file: rememberFile(path), warnings };
  });
}

async function openPostgres(url: string, onIdleError: (error: Error) => void, time?: () => Date): Promise<Store> {
  // A migration may take longer than the time limits of the ordinary pool allow.
  const migrating: Database = new Kysely({
    dialect: new PostgresDialect({ pool: migrationPool(url, onIdleError) }),
  });
  try {
    await requireConnections(migrating);
    await migrate(migrating);
  } finally {
    await migrating.destroy().catch(() => undefined);
  }
  const commits = new CommitObserver();
  const dialect = new ObservedPostgresDialect(postgresPool(url, onIdleError), commits);
  const db: Database = new Kysely({ dialect, plugins: [COLUMN_NAMES] });
  if (time) overrideStoreTime(db, time);
  return finish(db, commits, () => Promise.resolve({ url, engine: 'postgres', warnings: [] }));
}

/** If a step after the first connection fails, the connection is closed. */
async function finish(
  db: Database,
  commits: CommitEvents,
  prepare: () => Promise<Pick<Store, 'url' | 'engine' | 'file' | 'warnings'>>,
): Promise<Store> {
  try {
    const prepared = await prepare();
    const identity = await readIdentity(db);
    const clockWarning = await checkBeforeUse(db, prepared.engine);
    const warnings = clockWarning === undefined ? prepared.warnings : [...prepared.warnings, clockWarning];
    return {
      ...prepared,
      warnings,
      db,
      commits,
      identity,
      location: describeLocation(prepared.url),
      close: () => db.destroy(),
    };
  } catch (error) {
    await db.destroy().catch(() => undefined);
    throw error;
  }
}
