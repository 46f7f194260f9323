import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, StoreError } from './engines/store-error.ts';

const OWNER_ONLY = 0o600;
const FULL_CODES = new Set(['SQLITE_13', 'ENOSPC']);

/**
 * The file gets its name only when all of it is on the disk. If the program ends before, the previous file remains.
 *
 * @param write fills the file, which exists and is empty
 * @throws StoreError if the folder cannot be written
 */
export async function writeWhole<Result>(
  path: string,
  write: (unfinished: string) => Promise<Result>,
): Promise<Result> {
  const unfinished = `${path}.unfinished`;
  removeDatabase(unfinished);
  create(unfinished, path);
  try {
    const result = await write(unfinished);
    sync(unfinished);
    renameSync(unfinished, path);
    sync(dirname(path));
    return result;
  } catch (error) {
    removeDatabase(unfinished);
    if (FULL_CODES.has(codeOf(error instanceof StoreError ? error.cause : error)))
      throw new StoreError(`The disk of ${path} is full: make room on it, or choose another place.`, { cause: error });
    throw error;
  }
}

/** Creates the file for its owner only: it will contain e-mails, limits and reasons. */
function create(unfinished: string, path: string): void {
  try {
    if (existsSync(path) && statSync(path).isDirectory())
      throw new StoreError(`${path} is a folder: name a file in it.`);
    closeSync(openSync(unfinished, 'wx', OWNER_ONLY));
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const why = codeOf(error) === 'ENOENT' ? 'its folder does not exist' : 'its folder cannot be written';
    throw new StoreError(`${path} cannot be made, because ${why}: choose another place.`, { cause: error });
  }
}

function removeDatabase(path: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
