import type { CommitEvents } from './commits.ts';
import type { StoreFile } from './engines/store-file.ts';
import type { Database } from './tables.ts';

export type Engine = 'sqlite' | 'postgres';

export interface Store {
  db: Database;
  engine: Engine;
  commits: CommitEvents;
  /** Where it is, for operators: without a password. */
  place: string;
  /** Its address, password and all: for sentences about faults only. */
  url: string;
  /** The random name that was given to it when it was made. */
  identity: string;
  /** SQLite: its file. */
  file?: StoreFile | undefined;
  /** What an operator should know about how it was opened, one sentence each. */
  warnings: readonly string[];
  close(): Promise<void>;
}
