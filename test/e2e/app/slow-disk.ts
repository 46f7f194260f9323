import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLimited } from '../../support/processes/limited.ts';

/** Replaces the two calls with which a program flushes to the disk, for all threads of a process. */
const LIBRARY = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int ends_with(int fd, const char *ending) {
  char link[64], name[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, name, sizeof name - 1);
  if (length < (ssize_t)strlen(ending)) return 0;
  name[length] = 0;
  return strcmp(name + length - strlen(ending), ending) == 0;
}

static void wait_first(int fd) {
  const char *path = getenv("SLOW_DISK_MS_FILE");
  FILE *file = path ? fopen(path, "r") : NULL;
  int ms = 0;
  char ending[32] = "";
  if (file) {
    if (fscanf(file, "%d %31s", &ms, ending) < 1) ms = 0;
    fclose(file);
  }
  if (ms <= 0 || !ends_with(fd, ending)) return;
  char waiting[4096];
  snprintf(waiting, sizeof waiting, "%s.waiting", path);
  FILE *mark = fopen(waiting, "w");
  if (mark) fclose(mark);
  usleep((useconds_t)ms * 1000);
}

int fsync(int fd) {
  wait_first(fd);
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
}

int fdatasync(int fd) {
  wait_first(fd);
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd);
}
`;

/** A disk with slow writes. */
export interface SlowDisk {
  /** Given to a program, it slows its writes. */
  environment: Record<string, string>;
  /** From now on each `fsync` and `fdatasync` takes this much longer, of files whose name has this ending. */
  delayBy(ms: number, ending?: string): void;
  /** Whether a program has begun such a wait. */
  hasDelayed(): boolean;
  remove(): void;
}

/** Needs a C compiler. */
export function makeSlowDisk(): SlowDisk {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-slow-disk-'));
  const library = join(folder, 'slow-disk.so');
  const delays = join(folder, 'delay-ms');
  writeFileSync(delays, '0');
  runLimited('cc', ['-shared', '-fPIC', '-O1', '-x', 'c', '-', '-o', library, '-ldl'], { input: LIBRARY });
  return {
    environment: { LD_PRELOAD: library, SLOW_DISK_MS_FILE: delays },
    delayBy: (ms, ending = '') => writeFileSync(delays, `${ms} ${ending}`),
    hasDelayed: () => existsSync(`${delays}.waiting`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
