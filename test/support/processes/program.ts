import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createBotLog } from './bot-log.ts';
import { COMPILE_CACHE } from './bot-processes.ts';

export const PROGRAM = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

/** Makes every file system read-only for a program, except for one folder. Ends with 9 if that does not work. */
export const readOnlyExcept = (folder: string): string[] => [
  'unshare',
  '-m',
  'sh',
  '-c',
  `mount --bind ${folder} ${folder} && mount -o remount,ro,bind / && if touch ${folder}/../probe; then exit 9; fi && exec "$0" "$@"`,
];

/** The program as an operator runs it, in a process of its own. */
export interface Program {
  /** Its exit code, or null if a signal ended it. */
  ended: Promise<number | null>;
  output(): string;
  /** Resolves when its output holds this text. */
  untilPrinted(text: string): Promise<void>;
  /** Resolves when it answers commands. */
  untilRunning(): Promise<void>;
  /** Sends SIGTERM. */
  stop(): void;
}

/**
 * Starts the program as `npm start` does.
 * @param within the command that starts it
 */
export function startProgram(settings: Record<string, string>, within: readonly string[] = []): Program {
  const [command, ...words] = [...within, process.execPath, PROGRAM];
  const child = spawn(command, words, {
    env: { ...settings, NODE_COMPILE_CACHE: COMPILE_CACHE },
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createBotLog();
  child.stdout.on('data', (chunk: Buffer) => log.add(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => log.add(chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return {
    ended,
    output: log.logged,
    untilPrinted: log.untilLogged,
    untilRunning: () => log.untilLogged('Quartermaster is running'),
    stop: () => void child.kill('SIGTERM'),
  };
}
