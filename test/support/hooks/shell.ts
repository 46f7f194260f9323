import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { hookSettings } from '../../../src/features/sessions/hooks/commands/snippet.ts';

export interface ShellRun {
  code: number | null;
  printed: string;
  durationMs: number;
}

/** A home folder that is removed after the test. */
export function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'quartermaster-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** Runs a line as the user's shell or client does. */
export async function runInShell(
  line: string,
  { home, input, shell = 'sh' }: { home: string; input: string; shell?: string },
): Promise<ShellRun> {
  const startMs = performance.now();
  const child = spawn(shell, ['-c', line], { env: { PATH: process.env['PATH'], HOME: home } });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, printed, durationMs: performance.now() - startMs };
}

export const CODE = `qms_${'Zz9_'.repeat(8)}`;
/** No server listens there, and nothing may ask it. */
const NOWHERE = { url: 'http://127.0.0.1:1', code: CODE };
/** The file of `CODE`, in the home folder. */
export const TOKEN_FILE = '.quartermaster/Zz9_Zz9_';

/** Writes what the setup writes, so that events go to another address. */
export function setUp(home: string, url: string, token: string): void {
  mkdirSync(join(home, '.quartermaster'), { recursive: true });
  writeFileSync(join(home, TOKEN_FILE), `url=${url}/hooks/v1\noauth2-bearer=${token}\ndata-binary=@-\n`);
}

const settings = z.object({
  hooks: z.record(
    z.string(),
    z.tuple([
      z.object({
        hooks: z.tuple([z.object({ type: z.literal('command'), command: z.string(), timeout: z.int() })]),
      }),
    ]),
  ),
});

/** The settings that the client reads: the command and timeout of each event. */
export function hooksOf(json: string = hookSettings(NOWHERE)): Record<string, { command: string; timeoutMs: number }> {
  const { hooks } = settings.parse(JSON.parse(json));
  return Object.fromEntries(
    Object.entries(hooks).map(([event, [{ hooks: own }]]) => [
      event,
      { command: own[0].command, timeoutMs: own[0].timeout * 1_000 },
    ]),
  );
}

/** The command lines and environments of all processes, as others on the computer see them. */
export function processTexts(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((id) => {
      try {
        return `${readFileSync(`/proc/${id}/cmdline`, 'utf8')} ${readFileSync(`/proc/${id}/environ`, 'utf8')}`;
      } catch {
        // It has already ended.
        return '';
      }
    });
}
