import {
  CompiledQuery,
  PostgresDialect,
  PostgresDriver,
  type DatabaseConnection,
  type PostgresDialectConfig,
  type TransactionSettings,
} from 'kysely';
import { TRANSACTION_BOUNDS } from './postgres-pool.ts';
import type { CommitObserver } from '../commits.ts';

export class ObservedPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #commits: CommitObserver;

  constructor(pool: PostgresDialectConfig['pool'], commits: CommitObserver) {
    super({ pool });
    this.#config = { pool };
    this.#commits = commits;
  }

  override createDriver(): PostgresDriver {
    return new ObservedDriver(this.#config, this.#commits);
  }
}

class ObservedDriver extends PostgresDriver {
  readonly #commits: CommitObserver;
  readonly #observed = new WeakSet<DatabaseConnection>();

  constructor(config: PostgresDialectConfig, commits: CommitObserver) {
    super(config);
    this.#commits = commits;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    if (this.#observed.has(connection)) return connection;
    this.#observed.add(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = (query, options) => {
      this.#commits.noteStatement(connection, query);
      return execute(query, options);
    };
    return connection;
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const isPlain = settings.isolationLevel === undefined && settings.accessMode === undefined;
    if (!isPlain) await super.beginTransaction(connection, settings);
    // Sends both in one round trip.
    await connection.executeQuery(CompiledQuery.raw(isPlain ? `begin; ${TRANSACTION_BOUNDS}` : TRANSACTION_BOUNDS));
    this.#commits.noteBegin(connection);
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    this.#commits.noteCommit(connection);
  }
}
