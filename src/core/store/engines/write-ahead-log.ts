import { fstatSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { asStoreFault } from './store-fault.ts';

/** One of the four threads that Node has for files and host names stays free. */
const MAX_SYNCS_AT_ONCE = 3;
/** A shorter timer costs more than it saves. */
const SHORTEST_SPACE_MS = 5;
/** The size at which SQLite itself would start a checkpoint. */
const CHECKPOINT_BYTES = 1_000 * 4_096;
/** The time before the next checkpoint, also if other connections kept one from finishing. */
const CHECKPOINT_PAUSE_MS = 30_000;
/** A stop waits no longer for a checkpoint: the log keeps everything, and the next start reads it. */
const LAST_CHECKPOINT_MS = 1_000;
/** Closing the last connection carries the log over with two more syncs, in the main thread. */
const SLOW_SYNC_MS = 1_000;

const WORKER = new URL(`./sqlite-checkpoint${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/**
 * Forces committed data to the disk without blocking the event loop. A slow disk takes seconds for that, and SQLite
 * itself would wait for it in the thread that acknowledges. With `synchronous = normal`, a commit is written to the
 * log, whole or not at all, but not forced to the disk (https://www.sqlite.org/pragma.html#pragma_synchronous). One of
 * Node’s threads does that here, for all commits made before it at once. A checkpoint forces files to the disk too, so
 * it has its own thread.
 *
 * Committed data can be read before it is on the disk. A caller that acts on it writes first and waits for that write,
 * which also puts all earlier commits on the disk.
 */
export class WriteAheadLog {
  readonly #path: string;
  readonly #onFault: (error: Error) => void;
  readonly #atOnce = pLimit(MAX_SYNCS_AT_ONCE);
  #file: Promise<FileHandle> | undefined;
  #planned: Promise<void> | undefined;
  #checkpoint: Promise<void> | undefined;
  #checkpointAtMs = Number.NEGATIVE_INFINITY;
  #lastBeganMs = Number.NEGATIVE_INFINITY;
  #lastTookMs = 0;

  /** @param onFault called with the fault of a checkpoint or of a sync that nobody waits for */
  constructor(path: string, onFault: (error: Error) => void) {
    this.#path = path;
    this.#onFault = onFault;
  }

  /** Syncs all earlier commits. @throws the fault of the disk, marked as one of the store */
  sync(): Promise<void> {
    this.#planned ??= this.#atOnce(async () => {
      await this.#space();
      // Later commits may not be part of this sync.
      this.#planned = undefined;
      try {
        this.#file ??= this.#open();
        const file = await this.#file;
        const beganMs = performance.now();
        this.#lastBeganMs = beganMs;
        await file.datasync();
        this.#lastTookMs = performance.now() - beganMs;
        this.#checkpointIfLong(file);
      } catch (error) {
        throw asStoreFault(error);
      }
    });
    return this.#planned;
  }

  /** Nobody waits for this sync, so its fault is reported alone. */
  syncInBackground(): void {
    this.sync().catch(this.#report);
  }

  /** @returns whether closing takes only a moment; if not, the connection is best left to the end of the process */
  async close(): Promise<boolean> {
    await this.#planned?.catch(() => undefined);
    await Promise.race([this.#checkpoint, delay(LAST_CHECKPOINT_MS, undefined, { ref: false })]);
    const file = await this.#file?.catch(() => undefined);
    await file?.close();
    return this.#checkpoint === undefined && this.#lastTookMs < SLOW_SYNC_MS;
  }

  /**
   * The first sync begins at once: in a burst, the next turn of the event loop may take longer than the sync. Commits
   * during it share the next ones, which are spaced evenly on a slow disk, so that no caller waits long for one.
   */
  async #space(): Promise<void> {
    if (this.#atOnce.activeCount === 1) return;
    const waitMs = this.#lastBeganMs + this.#lastTookMs / MAX_SYNCS_AT_ONCE - performance.now();
    await (waitMs < SHORTEST_SPACE_MS ? nextTurn() : delay(waitMs));
  }

  async #open(): Promise<FileHandle> {
    try {
      // SQLite holds its locks on the other two files, so closing this one releases none of them.
      const file = await open(`${this.#path}-wal`, 'r');
      // The folder holds the name of the file, so it must be on the disk too.
      const folder = await open(dirname(this.#path), 'r');
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
      return file;
    } catch (error) {
      this.#file = undefined;
      throw error;
    }
  }

  readonly #report = (error: unknown) => this.#onFault(error instanceof Error ? error : new Error(String(error)));

  #checkpointIfLong({ fd }: FileHandle): void {
    const nowMs = performance.now();
    if (this.#checkpoint || nowMs < this.#checkpointAtMs + CHECKPOINT_PAUSE_MS) return;
    if (fstatSync(fd).size < CHECKPOINT_BYTES) return;
    this.#checkpointAtMs = nowMs;
    this.#checkpoint = checkpoint(this.#path)
      .catch(this.#report)
      .finally(() => {
        this.#checkpoint = undefined;
      });
  }
}

function checkpoint(path: string): Promise<void> {
  const worker = new Worker(WORKER, { workerData: path, execArgv: [], stderr: true });
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
}
