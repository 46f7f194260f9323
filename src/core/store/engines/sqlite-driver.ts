import { setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  SqliteDriver,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type SqliteDatabase,
} from 'kysely';
import { isTurnDue, nextTurn, nextUrgentTurn } from '../../base/time/turns.ts';
import type { CommitObserver } from '../commits.ts';
import { codeOf } from './store-error.ts';
import type { WriteAheadLog } from './write-ahead-log.ts';

/** The total time that a statement waits for another process’s write lock. */
export const LOCK_PATIENCE_MS = 10_000;
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

/** Each ends when its changes are on the disk. */
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
    if (!isRead) await log?.sync();
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
    await this.#file.log?.sync();
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
export class NodeSqliteDriver implements Driver {
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
