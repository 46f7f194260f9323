import { ColumnNode, TableNode, type CompiledQuery, type DatabaseConnection } from 'kysely';
import { COLUMN_NAMES, type Tables } from './tables.ts';

/**
 * Reports the commit of each transaction that inserted into a table or set one of its columns. Otherwise each writer
 * would have to notify the readers, or the readers would have to poll.
 *
 * @example commits.onWrite('deliveries', 'dueAt', () => outbox.poke());
 */
export interface CommitEvents {
  /** @returns a function that removes the listener */
  onWrite<Table extends keyof Tables>(
    table: Table,
    column: keyof Tables[Table] & string,
    listener: () => void,
  ): () => void;
}

interface Watcher {
  table: string;
  column: string;
  listener: () => void;
}

export class CommitObserver implements CommitEvents {
  readonly #watchers = new Set<Watcher>();
  readonly #written = new WeakMap<DatabaseConnection, Set<Watcher>>();

  onWrite(table: string, column: string, listener: () => void): () => void {
    const watcher = { table: COLUMN_NAMES.toStored(table), column: COLUMN_NAMES.toStored(column), listener };
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  noteStatement(connection: DatabaseConnection, { query }: CompiledQuery): void {
    if (query.kind !== 'InsertQueryNode' && query.kind !== 'UpdateQueryNode') return;
    for (const watcher of this.#watchers) {
      if (!writes(query, watcher)) continue;
      this.#written.set(connection, (this.#written.get(connection) ?? new Set()).add(watcher));
    }
  }

  noteBegin(connection: DatabaseConnection): void {
    this.#written.delete(connection);
  }

  noteCommit(connection: DatabaseConnection): void {
    const watchers = this.#written.get(connection) ?? [];
    this.#written.delete(connection);
    for (const watcher of watchers) if (this.#watchers.has(watcher)) watcher.listener();
  }
}

type WriteQuery = Extract<CompiledQuery['query'], { kind: 'InsertQueryNode' | 'UpdateQueryNode' }>;

function writes(query: WriteQuery, { table, column }: Watcher): boolean {
  if (query.kind === 'InsertQueryNode') return query.into?.table.identifier.name === table;
  if (!query.table || !TableNode.is(query.table) || query.table.table.identifier.name !== table) return false;
  return (query.updates ?? []).some(({ column: set }) => ColumnNode.is(set) && set.column.name === column);
}
