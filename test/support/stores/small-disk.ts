import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLimited } from '../processes/limited.ts';

/** A file system of a few megabytes. */
export interface SmallDisk {
  folder: string;
  /** Fills the remaining room. */
  fill(): void;
  makeRoom(): void;
  remove(): void;
}

/** Whether this machine lets the suite make one; prints a line if not. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-mount-'));
  try {
    runLimited('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
    runLimited('umount', [folder], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('SKIPPED: the tests of a full disk need the right to mount a tmpfs.\n');
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function makeSmallDisk(megabytes = 8): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-disk-'));
  runLimited('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => {
      for (const size of [64 * 1024, 4 * 1024, 1]) appendUntilFull(filler, Buffer.alloc(size));
    },
    makeRoom: () => rmSync(filler, { force: true }),
    remove: () => {
      runLimited('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function appendUntilFull(path: string, chunk: Buffer): void {
  try {
    for (;;) appendFileSync(path, chunk);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
