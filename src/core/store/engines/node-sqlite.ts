import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type SqliteDatabase,
  type SqliteStatement,
} from 'kysely';
import { CommitObserver } from '../commits.ts';
import { LOCK_PATIENCE_MS, NodeSqliteDriver } from './sqlite-driver.ts';
import { asStoreFault } from './store-fault.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

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
