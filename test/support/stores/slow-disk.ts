import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Replaces the two calls with which a program flushes to the disk, for all threads of a process. */
const LIBRARY = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_first(void) {
  const char *path = getenv("SLOW_DISK_MS_FILE");
  FILE *file = path ? fopen(path, "r") : NULL;
  int ms = 0;
  if (file) {
    if (fscanf(file, "%d", &ms) != 1) ms = 0;
    fclose(file);
  }
  if (ms > 0) usleep((useconds_t)ms * 1000);
}

int fsync(int fd) {
  wait_first();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
}

int fdatasync(int fd) {
  wait_first();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd);
}
`;

/** A disk with slow writes. */
export interface SlowDisk {
  /** Given to a program, it slows its writes. */
  environment: Record<string, string>;
  /** From now on each `fsync` and `fdatasync` takes this much longer. */
  delayBy(ms: number): void;
  remove(): void;
}

/** Needs a C compiler. */
export function makeSlowDisk(): SlowDisk {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-slow-disk-'));
  const library = join(folder, 'slow-disk.so');
  const delays = join(folder, 'delay-ms');
  writeFileSync(delays, '0');
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-x', 'c', '-', '-o', library, '-ldl'], { input: LIBRARY });
  return {
    environment: { LD_PRELOAD: library, SLOW_DISK_MS_FILE: delays },
    delayBy: (ms) => writeFileSync(delays, String(ms)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
