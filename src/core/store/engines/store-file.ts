import { existsSync, statSync } from 'node:fs';

export interface StoreFile {
  /** Whether the path still leads to the open file. SQLite keeps writing to a deleted file, and all of that is lost. */
  isStillAtPath(): boolean;
}

/** Returns undefined for a store in memory. */
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

export const isEmptyFile = (path: string): boolean => existsSync(path) && statSync(path).size === 0;
