import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { nextTurn } from '../../base/time/turns.ts';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type QueryResult,
  type SqliteDatabase,
  type SqliteStatement,
} from 'kysely';
import { CommitObserver } from '../commits.ts';
import { codeOf } from './store-error.ts';
import { asStoreFault } from './store-fault.ts';

/** How long a statement waits for another process’s write lock in all. */
const LOCK_PATIENCE_MS = 10_000;
/** The driver waits without a turn of the event loop: each time so briefly that nothing else notices. */
const BUSY_TIMEOUT_MS = 50;
const LOCK_PAUSE_MS = 25;
const OWNER_ONLY = 0o600;
/**
 * SQLite answers without a turn of the event loop, so reads and writes in a loop would hold up everybody else: after
 * so long the loop gets its turn before the answer is given.
 */
const MAX_TURN_MS = 5;

/** Kysely binds whatever it is given; node:sqlite takes neither booleans nor dates nor undefined. */
function toSqlValue(value: unknown): SQLInputValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`A ${typeof value} cannot be stored: turn it into text first`);
}

interface PreparedStatement {
  statement: StatementSync;
  /** It answers with rows. */
  reader: boolean;
}

/** A program has a few dozen different statements; those that are made up on the fly push each other out. */
const KEPT_STATEMENTS = 200;

/**
 * Prepares each statement once. Besides the time this saves, a statement holds a copy of what was bound to it outside of the
 * heap until it is collected, and the collector, which sees nothing of that, does not hurry: megabytes after each big write.
 */
function createPrepare(database: DatabaseSync): (sql: string) => PreparedStatement {
  const kept = new Map<string, PreparedStatement>();
  const prepare = (sql: string): PreparedStatement => {
    const statement = database.prepare(sql);
    return { statement, reader: statement.columns().length > 0 };
  };
  return (sql) => {
    const prepared = kept.get(sql) ?? prepare(sql);
    kept.delete(sql);
    kept.set(sql, prepared);
    const oldest = kept.size > KEPT_STATEMENTS ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
    return prepared;
  };
}

/** Says of what SQLite throws that it is a fault of the store. */
function marked<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw asStoreFault(error);
  }
}

function adapt(database: DatabaseSync): SqliteDatabase {
  const prepare = createPrepare(database);
  return {
    close: () => database.close(),
    prepare: (sql): SqliteStatement => {
      const { statement, reader } = marked(() => prepare(sql));
      return {
        reader,
        all: (parameters) => marked(() => statement.all(...parameters.map(toSqlValue))),
        run: (parameters) => marked(() => statement.run(...parameters.map(toSqlValue))),
        // Its rows are read later, and by then the same statement may run for somebody else.
        iterate: (parameters) => database.prepare(sql).iterate(...parameters.map(toSqlValue)),
      };
    },
  };
}

/**
 * Waits for another process’s write lock between tries, so that acknowledgements go out meanwhile. A statement that found the
 * store locked has changed nothing; inside a transaction none does, because its begin has waited.
 */
class PatientConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection;
  readonly #commits: CommitObserver;
  #turnBeganMs: number | undefined;

  constructor(inner: DatabaseConnection, commits: CommitObserver) {
    this.#inner = inner;
    this.#commits = commits;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.#commits.noteStatement(this, query);
    const startMs = performance.now();
    this.#turnBeganMs ??= this.#beginTurn(startMs);
    for (;;) {
      try {
        const result = await this.#inner.executeQuery<Row>(query);
        if (performance.now() - (this.#turnBeganMs ?? startMs) > MAX_TURN_MS) await nextTurn();
        return result;
      } catch (error) {
        if (codeOf(error) !== 'SQLITE_5' || performance.now() - startMs > LOCK_PATIENCE_MS) throw error;
        await delay(LOCK_PAUSE_MS);
      }
    }
  }

  /** Forgotten as soon as the event loop has had its turn, so that what was long ago does not count. */
  #beginTurn(nowMs: number): number {
    setImmediate(() => (this.#turnBeganMs = undefined));
    return nowMs;
  }

  streamQuery<Row>(...args: Parameters<DatabaseConnection['streamQuery']>): AsyncIterableIterator<QueryResult<Row>> {
    return this.#inner.streamQuery<Row>(...args);
  }
}

/**
 * Kysely's driver begins with a deferred transaction; the first write in it then fails at once with BUSY_SNAPSHOT when
 * another process wrote since the first read. `begin immediate` waits for its turn instead.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #commits: CommitObserver;
  #connection: DatabaseConnection | undefined;

  constructor(open: () => Promise<SqliteDatabase>, commits: CommitObserver) {
    super({ database: open });
    this.#commits = commits;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection ??= new PatientConnection(await super.acquireConnection(), this.#commits);
    return this.#connection;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
    this.#commits.noteBegin(connection);
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    this.#commits.noteCommit(connection);
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      // SQLite has rolled back by itself, as on a full disk; what failed first is what is told.
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
    }
  }
}

/** SQLite's DDL is transactional. Unless Kysely knows, a failed migration leaves half a schema, and two processes race. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Kysely's SQLite dialect over the `node:sqlite` that is built into Node. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #open: () => Promise<SqliteDatabase>;
  readonly #commits: CommitObserver;

  constructor(path: string, commits = new CommitObserver()) {
    const open = () => Promise.resolve(adapt(openFile(path)));
    super({ database: open });
    this.#open = open;
    this.#commits = commits;
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#open, this.#commits);
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }
}

/** E-mails, limits and reasons stand in it. What SQLite puts beside it gets the mode of the file; what is there already is corrected. */
function keepPrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', OWNER_ONLY));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const isOwn = existsSync(file) && statSync(file).uid === process.getuid?.();
    if (isOwn && (statSync(file).mode & 0o777) !== OWNER_ONLY) chmodSync(file, OWNER_ONLY);
  }
}

/** Opens the file, makes its folder, and sets what makes a confirmed write survive `kill -9` and a power cut. */
function openFile(path: string): DatabaseSync {
  if (path !== ':memory:') {
    mkdirSync(dirname(path), { recursive: true });
    keepPrivate(path);
  }
  // Nothing else goes on yet that would have to wait for this.
  const database = new DatabaseSync(path, { timeout: LOCK_PATIENCE_MS });
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;');
  // What was deleted or replaced is not left in the file: somebody may have asked to be erased.
  database.exec('pragma secure_delete = on');
  database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return database;
}
