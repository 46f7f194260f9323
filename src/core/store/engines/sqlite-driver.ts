import { setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import { isTurnDue, nextTurn, nextUrgentTurn } from '../../base/time/turns.ts';
import { CommitObserver } from '../commits.ts';
import { codeOf } from './store-error.ts';
import { WriteAheadLog } from './write-ahead-log.ts';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { asStoreFault } from './store-fault.ts';
import { mayBeLost } from '../unhurried-writes.ts';

/** The total time that a statement waits for another process’s write lock. */
const LOCK_PATIENCE_MS = 10_000;
const LOCK_PAUSE_MS = 25;
/** SQLite answers without a turn of the event loop. After this time the loop gets one before the answer is returned. */
const MAX_TURN_MS = 5;

/** The file has one connection: while a transaction is open, all other callers wait for its end. */
class OneAtATime {
  #last = Promise.resolve();

  /** @returns a function that starts the next caller's turn */
  async take(): Promise<() => void> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    return resolve;
  }
}

/**
 * Pauses between tries while another process holds the write lock, so that acknowledgements are sent. A statement that
 * found the store locked has changed nothing. That never occurs inside a transaction: its begin has waited.
 */
class PatientConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection;
  #turnBeganMs: number | undefined;

  constructor(inner: DatabaseConnection) {
    this.#inner = inner;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const startMs = performance.now();
    this.#turnBeganMs ??= this.#beginTurn(startMs);
    for (;;) {
      try {
        const result = await this.#inner.executeQuery<Row>(query);
        if (performance.now() - (this.#turnBeganMs ?? startMs) > MAX_TURN_MS) await nextUrgentTurn();
        return result;
      } catch (error) {
        if (codeOf(error) !== 'SQLITE_5' || performance.now() - startMs > LOCK_PATIENCE_MS) throw error;
        await delay(LOCK_PAUSE_MS);
      }
    }
  }

  /** The start is forgotten after the next turn of the event loop, so that only uninterrupted work counts. */
  #beginTurn(nowMs: number): number {
    setImmediate(() => (this.#turnBeganMs = undefined));
    return nowMs;
  }

  streamQuery<Row>(...args: Parameters<DatabaseConnection['streamQuery']>): AsyncIterableIterator<QueryResult<Row>> {
    return this.#inner.streamQuery<Row>(...args);
  }
}

interface OpenFile {
  connection: PatientConnection;
  turns: OneAtATime;
  /** Undefined for a store in memory. */
  log: WriteAheadLog | undefined;
}

async function forceToDisk(log: WriteAheadLog | undefined): Promise<void> {
  if (mayBeLost()) log?.syncInBackground();
  else await log?.sync();
}

/** Each ends when its changes are on the disk, unless its caller can do without them. */
class Session implements DatabaseConnection {
  readonly #file: OpenFile;
  readonly #commits: CommitObserver;
  #leave: (() => void) | undefined;

  constructor(file: OpenFile, commits: CommitObserver) {
    this.#file = file;
    this.#commits = commits;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { connection, turns, log } = this.#file;
    this.#commits.noteStatement(this, query);
    if (this.#leave) return connection.executeQuery<Row>(query);
    const isRead = query.query.kind === 'SelectQueryNode';
    // An acknowledgement may wait for a write, and for no read. While requests arrive, answers can wait here.
    if (isRead && isTurnDue()) await nextTurn();
    const release = await turns.take();
    const result = await connection.executeQuery<Row>(query).finally(release);
    if (!isRead) await forceToDisk(log);
    return result;
  }

  /**
   * Kysely would begin a deferred transaction. Its first write fails at once with BUSY_SNAPSHOT if another process
   * wrote after its first read. `begin immediate` waits for its turn instead.
   */
  async begin(): Promise<void> {
    const leave = await this.#file.turns.take();
    try {
      await this.#file.connection.executeQuery(CompiledQuery.raw('begin immediate'));
    } catch (error) {
      leave();
      throw error;
    }
    this.#leave = leave;
    this.#commits.noteBegin(this);
  }

  async commit(): Promise<void> {
    await this.#file.connection.executeQuery(CompiledQuery.raw('commit'));
    this.#end();
    await forceToDisk(this.#file.log);
    this.#commits.noteCommit(this);
  }

  /** A transaction that was committed but did not reach the disk cannot be rolled back. */
  async rollback(): Promise<void> {
    if (!this.#leave) return;
    try {
      await this.#file.connection.executeQuery(CompiledQuery.raw('rollback'));
    } catch (error) {
      // SQLite has already rolled back, as on a full disk. The first error is the one to report.
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
    } finally {
      this.#end();
    }
  }

  async *streamQuery<Row>(
    ...args: Parameters<DatabaseConnection['streamQuery']>
  ): AsyncIterableIterator<QueryResult<Row>> {
    const release = this.#leave ? undefined : await this.#file.turns.take();
    try {
      yield* this.#file.connection.streamQuery<Row>(...args);
    } finally {
      release?.();
    }
  }

  #end(): void {
    this.#leave?.();
    this.#leave = undefined;
  }
}

/** Kysely’s driver blocks all callers while one write reaches the disk; this one blocks only during a transaction. */
class NodeSqliteDriver implements Driver {
  readonly #kysely: SqliteDriver;
  readonly #commits: CommitObserver;
  readonly #log: WriteAheadLog | undefined;
  #file: OpenFile | undefined;

  constructor(open: () => SqliteDatabase, log: WriteAheadLog | undefined, commits: CommitObserver) {
    this.#kysely = new SqliteDriver({ database: () => Promise.resolve(open()) });
    this.#log = log;
    this.#commits = commits;
  }

  async init(): Promise<void> {
    await this.#kysely.init();
    const connection = new PatientConnection(await this.#kysely.acquireConnection());
    this.#file = { connection, turns: new OneAtATime(), log: this.#log };
  }

  acquireConnection(): Promise<DatabaseConnection> {
    if (!this.#file) throw new Error('The store is not open');
    return Promise.resolve(new Session(this.#file, this.#commits));
  }

  releaseConnection(): Promise<void> {
    return Promise.resolve();
  }

  beginTransaction(connection: DatabaseConnection): Promise<void> {
    return asSession(connection).begin();
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return asSession(connection).commit();
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return asSession(connection).rollback();
  }

  async destroy(): Promise<void> {
    if ((await this.#log?.close()) ?? true) await this.#kysely.destroy();
  }
}

function asSession(connection: DatabaseConnection): Session {
  if (connection instanceof Session) return connection;
  throw new TypeError('This is no connection of an SQLite store');
}

/** The driver waits without a turn of the event loop, so each wait is too short to delay other work. */
const BUSY_TIMEOUT_MS = 50;
const OWNER_ONLY = 0o600;

/** Kysely binds any value, but node:sqlite accepts neither booleans nor dates nor undefined. */
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
  reader: boolean;
}

/** A program has a few dozen different statements; statements built at run time displace each other. */
const CACHED_STATEMENTS = 200;

/**
 * Prepares each statement once, which saves time and memory. A statement keeps a copy of its bound values outside of
 * the heap until the collector, which does not see that memory, gets to it: megabytes after each big write.
 */
function createPrepare(database: DatabaseSync): (sql: string) => PreparedStatement {
  const statements = new Map<string, PreparedStatement>();
  const prepare = (sql: string): PreparedStatement => {
    const statement = database.prepare(sql);
    return { statement, reader: statement.columns().length > 0 };
  };
  return (sql) => {
    const prepared = statements.get(sql) ?? prepare(sql);
    statements.delete(sql);
    statements.set(sql, prepared);
    const oldest = statements.size > CACHED_STATEMENTS ? statements.keys().next().value : undefined;
    if (oldest !== undefined) statements.delete(oldest);
    return prepared;
  };
}

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
        // Its rows are read later, when another caller may already run the same statement.
        iterate: (parameters) => database.prepare(sql).iterate(...parameters.map(toSqlValue)),
      };
    },
  };
}

/** SQLite's DDL is transactional. Unless Kysely knows, a failed migration leaves half a schema and processes race. */
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** Without this, Kysely blocks all callers while one write reaches the disk. Each session waits by itself. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** @param onFault called with faults outside of statements, such as those of a checkpoint; no data is lost */
export class NodeSqliteDialect implements Dialect {
  readonly #path: string;
  readonly #commits: CommitObserver;
  readonly #onFault: (error: Error) => void;

  constructor(path: string, commits = new CommitObserver(), onFault: (error: Error) => void = () => {}) {
    this.#path = path;
    this.#commits = commits;
    this.#onFault = onFault;
  }

  createDriver(): Driver {
    const log = this.#path === ':memory:' ? undefined : new WriteAheadLog(this.#path, this.#onFault);
    return new NodeSqliteDriver(() => adapt(openFile(this.#path)), log, this.#commits);
  }

  createAdapter(): DialectAdapter {
    return new NodeSqliteAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }
}

/** Hides e-mails, limits and reasons from other users. SQLite copies the mode to new files; old ones are corrected. */
function restrictToOwner(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', OWNER_ONLY));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const isOwn = existsSync(file) && statSync(file).uid === process.getuid?.();
    if (isOwn && (statSync(file).mode & 0o777) !== OWNER_ONLY) chmodSync(file, OWNER_ONLY);
  }
}

/** Opens the file, creates its folder, and sets pragmas so that confirmed writes survive `kill -9` and power cuts. */
function openFile(path: string): DatabaseSync {
  if (path !== ':memory:') {
    mkdirSync(dirname(path), { recursive: true });
    restrictToOwner(path);
  }
  // No other work is running yet that this wait could delay.
  const database = new DatabaseSync(path, { timeout: LOCK_PATIENCE_MS });
  // WriteAheadLog forces commits to the disk, and its own thread runs the checkpoints.
  database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 0');
  database.exec('pragma foreign_keys = on');
  // Overwrites deleted and replaced data in the file, because a person may have asked for erasure.
  database.exec('pragma secure_delete = on');
  database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return database;
}
