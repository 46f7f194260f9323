import { existsSync, statSync } from 'node:fs';

/** The file of an SQLite store, as it was when it was opened. */
export interface StoreFile {
  /** Whether its path still leads to it: SQLite goes on writing a file that was deleted, and all of that is lost. */
  isInPlace(): boolean;
}

/** Remembers which file a path leads to. Nothing for a store that is kept in memory. */
export function rememberFile(path: string): StoreFile | undefined {
  if (path === ':memory:') return undefined;
  const opened = statSync(path);
  return {
    isInPlace: () => {
      const found = statSync(path, { throwIfNoEntry: false });
      // One that somebody emptied still answers from memory for a while.
      return found !== undefined && found.ino === opened.ino && found.dev === opened.dev && found.size > 0;
    },
  };
}

/** A file without anything in it, before it is opened. */
export function isEmptyFile(path: string): boolean {
  return existsSync(path) && statSync(path).size === 0;
}
