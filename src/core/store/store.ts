import type { CommitEvents } from './commits.ts';
import type { StoreFile } from './engines/store-file.ts';
import type { Database } from './tables.ts';

export type Engine = 'sqlite' | 'postgres';

export interface Store {
  db: Database;
  engine: Engine;
  commits: CommitEvents;
  /** Its location without the password, for operators. */
  location: string;
  /** Includes the password: for sentences about faults only. */
  url: string;
  /** The random name that it got when it was created. */
  identity: string;
  file?: StoreFile | undefined;
  /** Sentences for the operator about problems while it was opened. */
  warnings: readonly string[];
  close(): Promise<void>;
}
