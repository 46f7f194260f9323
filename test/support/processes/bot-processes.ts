import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { CheckpointName } from '../../../src/core/base/checkpoint.ts';
import { createBotLog } from './bot-log.ts';

const measuredSchema = z.object({
  memoryMb: z.number(),
  peakMemoryMb: z.number(),
  worstStallMs: z.number(),
  cpuMs: z.number(),
});
/** The memory of a process, its processor time, and the longest delay that it caused, since the last call. */
export type Measured = z.infer<typeof measuredSchema>;

const reportSchema = z.union([
  z.object({ ready: z.number() }),
  z.object({ settled: z.string(), state: z.string() }),
  z.object({ measured: measuredSchema }),
  z.object({ heapMb: z.number() }),
  z.object({ snapshot: z.string() }),
]);

/** As `npm start` and the image run it. */
export const NODE_OPTIONS = [
  '--max-old-space-size=1024',
  '--max-semi-space-size=8',
  '--no-separate-gc-phases',
  '--heap-growing-percent=50',
];

/** The additional settings of the image, which reduce the memory of the process. */
export const IMAGE = {
  nodeOptions: [...NODE_OPTIONS],
  environment: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '65536', MALLOC_MMAP_THRESHOLD_: '65536' },
};

/** Without it every start strips the types of every file again, which takes longer than the rest. */
export const COMPILE_CACHE = join(tmpdir(), 'quartermaster-test-compile-cache');

/** Names the bundle of `bot-process.ts` in the environment, if a suite has made one: it starts in half the processor time. */
export const BUNDLED_BOT = 'TEST_BUNDLED_BOT';

/** A bot that a test can kill. */
export interface Bot {
  /** The port of `/readyz`. */
  port: number;
  /** The deliveries that it has settled: key and state. */
  settled: { key: string; state: string }[];
  /** How it ended: `died` at the requested step, or the signal or the exit code. */
  ended: Promise<string>;
  /** Resolves when its log holds this text. */
  untilLogged(text: string): Promise<void>;
  moveTo(now: Date): void;
  /** It dies when it reaches this point next. */
  dieAt(name: CheckpointName): void;
  /** Cancels the death. */
  liveOn(): void;
  /** Its log, for a failure. */
  logged(): string;
  stop(): Promise<void>;
}

/** A bot in a process of its own, which dies by SIGKILL. */
export interface BotProcess extends Bot {
  process: ChildProcess;
  measure(): Promise<Measured>;
  /** Collects its garbage. @returns the size of its heap afterwards, in megabytes */
  collect(): Promise<number>;
  /** Writes everything that it has in its heap to a file. */
  writeHeap(path: string): Promise<void>;
}

/**
 * Starts a bot and waits until it runs.
 * @param now the time of its clock, which has no other source
 * @param within the command that starts it
 */
export async function startBotProcess(
  environment: Record<string, string>,
  now: Date,
  nodeOptions: readonly string[] = NODE_OPTIONS,
  within: readonly string[] = [],
): Promise<BotProcess> {
  const [execPath = process.execPath, ...execArgv] = [...within, process.execPath, ...nodeOptions];
  const child = fork(process.env[BUNDLED_BOT] ?? new URL('bot-process.ts', import.meta.url), {
    env: {
      // Its default would be taken as soon as two bots run.
      METRICS_PORT: '0',
      ...environment,
      TEST_NOW: now.toISOString(),
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: COMPILE_CACHE,
    },
    execPath,
    execArgv,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const botLog = createBotLog();
  child.stderr?.on('data', (chunk: Buffer) => botLog.add(chunk.toString()));
  const settled: BotProcess['settled'] = [];
  const measurements: ((measured: Measured) => void)[] = [];
  const collections: ((heapMb: number) => void)[] = [];
  const snapshots: (() => void)[] = [];
  const ended = once(child, 'exit').then(([code, signal]) => (signal === 'SIGKILL' ? 'died' : String(signal ?? code)));
  const ready = new Promise<number>((resolve, reject) => {
    child.on('message', (message) => {
      const report = reportSchema.parse(message);
      if ('ready' in report) resolve(report.ready);
      else if ('measured' in report) for (const take of measurements.splice(0)) take(report.measured);
      else if ('heapMb' in report) for (const take of collections.splice(0)) take(report.heapMb);
      else if ('snapshot' in report) for (const take of snapshots.splice(0)) take();
      else settled.push({ key: report.settled, state: report.state });
    });
    void ended.then((how) => reject(new Error(`The bot ended (${how}) before it ran:\n${botLog.logged()}`)));
  });
  const port = await ready;
  const tell = (order: object) => void (child.connected && child.send(order));
  return {
    process: child,
    port,
    settled,
    ended,
    untilLogged: botLog.untilLogged,
    moveTo: (to) => tell({ order: 'move', to: to.toISOString() }),
    measure: () =>
      new Promise((resolve) => {
        measurements.push(resolve);
        tell({ order: 'measure' });
      }),
    collect: () =>
      new Promise((resolve) => {
        collections.push(resolve);
        tell({ order: 'collect' });
      }),
    writeHeap: (path) =>
      new Promise((resolve) => {
        snapshots.push(resolve);
        tell({ order: 'snapshot', path });
      }),
    dieAt: (at) => tell({ order: 'die', at }),
    liveOn: () => tell({ order: 'die', at: '' }),
    logged: botLog.logged,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
