import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY_FOLDER = '/dev/shm';

/**
 * A folder with room for this number of bytes: in memory if possible, because a store waits for the disk after each
 * transaction.
 */
export function temporaryFolder(bytes: number): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize > bytes ? MEMORY_FOLDER : tmpdir();
  } catch {
    // Not every system has such a folder.
    return tmpdir();
  }
}
