import { existsSync, statSync } from 'node:fs';

/** The file of an SQLite store, as it was when it was opened. */
export interface StoreFile {
  /** Whether the path still leads to the open file. SQLite keeps writing to a deleted file, and all of that is lost. */
  isStillAtPath(): boolean;
}

/** Remembers the file behind a path. Returns undefined for a store in memory. */
export function rememberFile(path: string): StoreFile | undefined {
  if (path === ':memory:') return undefined;
  const opened = statSync(path);
  return {
    isStillAtPath: () => {
      const current = statSync(path, { throwIfNoEntry: false });
      // A file that was emptied still answers from memory for a while.
      return current !== undefined && current.ino === opened.ino && current.dev === opened.dev && current.size > 0;
    },
  };
}

/** Whether a file exists and is empty, before it is opened. */
export function isEmptyFile(path: string): boolean {
  return existsSync(path) && statSync(path).size === 0;
}
