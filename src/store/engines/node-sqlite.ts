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

/** The driver waits without a turn of the event loop: each time so briefly that nothing else notices. */
const BUSY_TIMEOUT_MS = 50;
const OWNER_ONLY = 0o600;

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

/** SQLite's DDL is transactional. Unless Kysely knows, a failed migration leaves half a schema, and two processes race. */
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** Kysely would hold everybody up until what one of them wrote is on the disk. Each session waits for its turn by itself. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * Kysely's SQLite dialect over the `node:sqlite` that is built into Node.
 *
 * @param onFault called with faults outside of statements, such as those of a checkpoint; no data is lost
 */
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
  // What a commit writes is forced to the disk by the log, and carried over into the file by a thread of its own.
  database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 0');
  database.exec('pragma foreign_keys = on');
  // What was deleted or replaced is not left in the file: somebody may have asked to be erased.
  database.exec('pragma secure_delete = on');
  database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return database;
}
