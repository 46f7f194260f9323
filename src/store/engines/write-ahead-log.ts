import { fstatSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { asStoreFault } from './store-fault.ts';

/** One of the four threads that Node has for files and host names stays free. */
const MAX_SYNCS_AT_ONCE = 3;
/** A timer that is shorter costs more than it saves. */
const SHORTEST_SPACE_MS = 5;
/** As many pages as SQLite itself lets pile up before a checkpoint. */
const CHECKPOINT_BYTES = 1_000 * 4_096;
/** A checkpoint that others keep from ending is tried again after so long. */
const CHECKPOINT_PAUSE_MS = 30_000;
/** A stop waits no longer for a checkpoint: the log keeps everything, and the next start reads it. */
const LAST_CHECKPOINT_MS = 1_000;
/** Closing the last connection carries the log over with two more syncs, in the main thread. */
const SLOW_SYNC_MS = 1_000;

const WORKER = new URL(`./sqlite-checkpoint${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/**
 * Puts what was committed onto the disk, without holding up the event loop: a slow disk takes seconds for that, and SQLite itself
 * would wait for it in the thread that acknowledges. With `synchronous = normal` a commit of a store with a write-ahead log is
 * written to that file, whole or not at all, and not forced to the disk (https://www.sqlite.org/pragma.html#pragma_synchronous).
 * That is done here, in a thread of Node’s, for all commits until then at once. A checkpoint forces files to the disk too, so it
 * has a thread of its own.
 *
 * What is committed can be read before it is on the disk. A caller that acts on it writes first, and waits for that: this puts
 * what was committed before on the disk, too.
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

  /** @param onFault called with the fault of a checkpoint; no data is lost, but the log grows */
  constructor(path: string, onFault: (error: Error) => void) {
    this.#path = path;
    this.#onFault = onFault;
  }

  /**
   * Resolves when all that was committed before is on the disk.
   *
   * @throws the fault of the disk, marked as one of the store
   */
  sync(): Promise<void> {
    this.#planned ??= this.#atOnce(async () => {
      await this.#space();
      // What is committed from here on is not certain to be part of it.
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

  /**
   * To be called before the database is closed.
   *
   * @returns whether that takes only a moment; if not, the connection is best left to the end of the process
   */
  async close(): Promise<boolean> {
    await this.#planned?.catch(() => undefined);
    await Promise.race([this.#checkpoint, delay(LAST_CHECKPOINT_MS, undefined, { ref: false })]);
    const file = await this.#file?.catch(() => undefined);
    await file?.close();
    return this.#checkpoint === undefined && this.#lastTookMs < SLOW_SYNC_MS;
  }

  /** On a slow disk syncs begin at even intervals, so that each caller waits only briefly for the next one. */
  async #space(): Promise<void> {
    const waitMs = this.#lastBeganMs + this.#lastTookMs / MAX_SYNCS_AT_ONCE - performance.now();
    await (waitMs < SHORTEST_SPACE_MS || this.#atOnce.activeCount === 1 ? nextTurn() : delay(waitMs));
  }

  async #open(): Promise<FileHandle> {
    try {
      // SQLite holds its locks on the other two files, so that closing this one takes none of them away.
      const file = await open(`${this.#path}-wal`, 'r');
      // That it is there at all is written in its folder.
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

  #checkpointIfLong({ fd }: FileHandle): void {
    const nowMs = performance.now();
    if (this.#checkpoint || nowMs < this.#checkpointAtMs + CHECKPOINT_PAUSE_MS) return;
    if (fstatSync(fd).size < CHECKPOINT_BYTES) return;
    this.#checkpointAtMs = nowMs;
    this.#checkpoint = checkpoint(this.#path)
      .catch((error: unknown) => this.#onFault(error instanceof Error ? error : new Error(String(error))))
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
