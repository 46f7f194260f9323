/** Runs in a thread of its own: both files are forced to the disk, which takes seconds on a slow one. */
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { workerData } from 'node:worker_threads';
import { codeOf } from './store-error.ts';

/** Each try covers the writes during the previous one. */
const MAX_TRIES = 5;
/** Readers and writers wait at most this long. */
const BUSY_TIMEOUT_MS = 50;
/** Beyond this size, writers wait for the disk once, so that the log does not keep growing. */
const TOO_MANY_PAGES = 16_000;

// A URL with mode=rw does not create the file again if it was deleted in the meantime.
const address = pathToFileURL(String(workerData));
address.searchParams.set('mode', 'rw');
const database = new DatabaseSync(address, { timeout: BUSY_TIMEOUT_MS });
database.exec('pragma synchronous = normal');

try {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { log, checkpointed } = checkpoint('passive');
    if (checkpointed < log && log < TOO_MANY_PAGES) continue;
    if (checkpoint('truncate').busy === 0) beginNewLog();
    break;
  }
} finally {
  database.close();
}

function checkpoint(mode: 'passive' | 'truncate') {
  const { busy, log, checkpointed } = database.prepare(`pragma wal_checkpoint(${mode})`).get() ?? {};
  return { busy: Number(busy), log: Number(log), checkpointed: Number(checkpointed) };
}

/** The first commit of a new log forces the log's head to the disk, whatever `synchronous` is. So it is made here. */
function beginNewLog(): void {
  const { user_version: version } = database.prepare('pragma user_version').get() ?? {};
  try {
    database.exec(`pragma user_version = ${Number(version)}`);
  } catch (error) {
    // Another connection is writing and begins the new log.
    if (codeOf(error) !== 'SQLITE_5') throw error;
  }
}
