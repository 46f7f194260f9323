/** The programs that are measured, each in a process of its own on a simulated Slack and platform. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readInstalledApp } from '../../src/sandbox/demo/installed-app.ts';
import { startPlatform } from '../../src/sandbox/platform/platform.ts';
import { type SandboxSlack, startSlack } from '../../src/sandbox/slack/index.ts';
import { COMPILE_CACHE_FOLDER } from '../../src/programs/start/bundle-state.js';
import { systemClock } from '../../src/core/base/time/clock.ts';
import { connectionSettings } from '../../src/sandbox/demo/connection-settings.ts';
import { IMAGE } from '../support/processes/bot-processes.ts';
import { freePort } from '../support/processes/free-port.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const POLL_MS = 5;
const TIMEOUT_MS = 60_000;

export type Program = 'image' | 'sources' | 'bare';

/** A program that is ready. */
export interface RunningProgram {
  /** From the start of the process until its connection to Slack. */
  readyMs: number;
  /** The program itself, below npm and a shell. */
  pid: number;
  slack: SandboxSlack;
  stop: () => Promise<void>;
}

const cacheOf = (root: string) => join(root, 'dist', COMPILE_CACHE_FOLDER);

/** What the build compiled, of each root. Node would add what a start compiles, unlike in the image, which is read-only. */
const builtCaches = new Map<string, string>();

export async function buildImage(root = ROOT): Promise<void> {
  await once(spawn('npm', ['run', 'build'], { cwd: root, stdio: 'ignore' }), 'exit');
  const kept = mkdtempSync(join(tmpdir(), 'quartermaster-compiled-'));
  cpSync(cacheOf(root), kept, { recursive: true });
  builtCaches.set(root, kept);
}

/** @param root of the sources, by default these; the image has to be built before */
export async function startProgram(program: Program, root = ROOT): Promise<RunningProgram> {
  const slack = await startSlack({ clock: systemClock });
  await slack.control.configure(readInstalledApp());
  const platform = await startPlatform({ clock: systemClock, people: 30 });
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-start-'));
  if (program === 'image') restoreCache(root);
  const port = await freePort();
  const [command, ...args] = {
    image: [process.execPath, ...IMAGE.nodeOptions, 'dist/main.js'],
    sources: ['npm', 'start'],
    bare: [process.execPath, 'test/bench/bare-bolt.js'],
  }[program];
  const startedMs = performance.now();
  const child = spawn(command ?? '', args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      ...(program === 'image' && {
        ...IMAGE.environment,
        NODE_COMPILE_CACHE: cacheOf(root),
      }),
      HOME: process.env['HOME'],
      ...connectionSettings(slack, platform),
      DATABASE_URL: `file:${join(folder, 'start.db')}`,
      PORT: String(port),
      METRICS_PORT: String(await freePort()),
      LOG_LEVEL: 'fatal',
    },
  });
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await Promise.all([slack.close(), platform.close()]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    if (program === 'bare') await slack.next('connection', ({ what }) => what === 'opened', { timeoutMs: TIMEOUT_MS });
    else await untilReady(port);
    return { readyMs: performance.now() - startedMs, pid: innermost(child), slack, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function restoreCache(root: string): void {
  const built = builtCaches.get(root);
  if (built === undefined) throw new Error('The image was not built');
  rmSync(cacheOf(root), { recursive: true });
  cpSync(built, cacheOf(root), { recursive: true });
}

async function untilReady(port: number): Promise<void> {
  const deadlineMs = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadlineMs) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await delay(POLL_MS);
  }
  throw new Error('The bot was not ready in time');
}

function innermost({ pid = 0 }: ChildProcess): number {
  let last = pid;
  for (let next: number | undefined = last; next !== undefined; next = childOf(last)) last = next;
  return last;
}

function childOf(pid: number): number | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children === '' ? undefined : Number.parseInt(children, 10);
}
