import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readInstalledApp } from '../../src/sandbox/demo/installed-app.ts';
import { startPlatform } from '../../src/sandbox/platform/platform.ts';
import { startSlack } from '../../src/sandbox/slack/index.ts';
import { COMPILE_CACHE_FOLDER } from '../../src/programs/start/bundle-state.js';
import { systemClock } from '../../src/core/base/time/clock.ts';
import { IMAGE } from '../support/processes/bot-processes.ts';
import { freePort } from '../support/processes/free-port.ts';
import { median } from './statistics.ts';
import { connectionSettings } from '../../src/sandbox/demo/connection-settings.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** By this time late modules are loaded, and garbage is collected. */
const SETTLING_MS = 5_000;
const POLL_MS = 5;
const TIMEOUT_MS = 60_000;

export interface Started {
  /** From the start of the process until it is ready. */
  readyMs: number;
  /** Resident memory some seconds later, in an idle process. */
  idleMb: number;
}

export type Program = 'image' | 'sources' | 'bare';

const COMMANDS: Record<Program, readonly [command: string, ...args: string[]]> = {
  image: [process.execPath, ...IMAGE.nodeOptions, 'dist/main.js'],
  sources: ['npm', 'start'],
  bare: [process.execPath, 'test/bench/bare-bolt.ts'],
};

/** Starts each program in turns and measures the time until its connection to Slack, and its memory. */
export async function measureStarts(rounds: number): Promise<Record<Program, Started>> {
  await once(spawn('npm', ['run', 'build'], { cwd: ROOT, stdio: 'ignore' }), 'exit');
  const measured: Record<Program, Started[]> = { image: [], sources: [], bare: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const program of ['image', 'sources', 'bare'] as const) measured[program].push(await startOnce(program));
  }
  const middle = (of: readonly Started[]): Started => ({
    readyMs: Math.round(median(of.map(({ readyMs }) => readyMs))),
    idleMb: Math.round(median(of.map(({ idleMb }) => idleMb))),
  });
  return { image: middle(measured.image), sources: middle(measured.sources), bare: middle(measured.bare) };
}

async function startOnce(program: Program): Promise<Started> {
  const slack = await startSlack({ clock: systemClock });
  await slack.control.configure(readInstalledApp());
  const platform = await startPlatform({ clock: systemClock, people: 30 });
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-start-'));
  const port = await freePort();
  const [command, ...args] = COMMANDS[program];
  const startedMs = performance.now();
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      ...(program === 'image' && {
        ...IMAGE.environment,
        NODE_COMPILE_CACHE: join(ROOT, 'dist', COMPILE_CACHE_FOLDER),
      }),
      HOME: process.env['HOME'],
      ...connectionSettings(slack, platform),
      DATABASE_URL: `file:${join(folder, 'start.db')}`,
      PORT: String(port),
      METRICS_PORT: String(await freePort()),
      LOG_LEVEL: 'fatal',
    },
  });
  try {
    if (program === 'bare') await slack.next('connection', ({ what }) => what === 'opened', { timeoutMs: TIMEOUT_MS });
    else await untilReady(port);
    const readyMs = performance.now() - startedMs;
    await delay(SETTLING_MS);
    return { readyMs, idleMb: residentMb(innermost(child)) };
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    await Promise.all([slack.close(), platform.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
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

/** The program itself, below npm and a shell. */
function innermost({ pid = 0 }: ChildProcess): number {
  let last = pid;
  for (let next: number | undefined = last; next !== undefined; next = childOf(last)) last = next;
  return last;
}

function childOf(pid: number): number | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children === '' ? undefined : Number.parseInt(children, 10);
}

function residentMb(pid: number): number {
  const [, kilobytes = ''] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
