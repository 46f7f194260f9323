import { execFileSync, spawnSync, type ExecFileSyncOptions, type SpawnSyncOptions } from 'node:child_process';

/** Vitest’s limits of time do not end a test that waits for a program without giving back its thread. */
const LIMITS = { encoding: 'utf8', timeout: 100_000, killSignal: 'SIGKILL' } as const;

/**
 * @returns what the program printed
 * @throws if it fails or does not end
 */
export const runLimited = (program: string, words: readonly string[], options: ExecFileSyncOptions = {}): string =>
  execFileSync(program, words, { ...options, ...LIMITS });

/** For a program that may fail or be missing. If it does not end, its status is null. */
export const spawnLimited = (program: string, words: readonly string[], options: SpawnSyncOptions = {}) =>
  spawnSync(program, words, { ...options, ...LIMITS });
