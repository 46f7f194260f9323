import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { createMovableClock } from '../../src/sandbox/demo/movable-clock.ts';
import { readInstalledApp } from '../../src/sandbox/demo/installed-app.ts';
import { startSlack, type SandboxSlack } from '../../src/sandbox/slack/index.ts';
import { daysOf } from '../../src/core/base/time/calendar.ts';
import { IMAGE, startBotProcess, type BotProcess } from '../support/processes/bot-processes.ts';
import { median } from './statistics.ts';

export const NOW = new Date('2026-04-13T07:00:00Z');
/** `28d` at that time. */
const PERIOD = { first: '2026-03-16', last: '2026-04-12' };
/** The time of a request to the platform besides the platform's own work: a network in between. */
const PLATFORM_DELAY_MS = 40;
const WARM_COMMANDS = 7;
const ANSWER_TIMEOUT_MS = 120_000;

const readySchema = z.object({ baseUrl: z.string(), apiKey: z.string() });
const requestsSchema = z.object({ requests: z.array(z.object({ path: z.string() })) });

export interface LargeOrganization {
  people: number;
  summary: {
    coldCalls: number;
    nextCalls: number;
    coldMs: number;
    nextMs: number;
    /** Processor time of the first answer, and of each once the days that it needs were read and used before. */
    coldCpuMs: number;
    warmCpuMs: number;
  };
  peopleView: { pages: number; sequentialMs: number; coldMs: number; ratio: number };
  memory: { idleMb: number; peakOverIdleMb: number };
  worstStallMs: number;
  summaryWorstStallMs: number;
}

/**
 * Requests the figures of a large organization from the real bot, and reads the same pages one after another for
 * comparison.
 * @returns medians over the rounds; each round has a bot with an empty store
 */
export async function measureLargeOrganization(people: number, rounds: number): Promise<LargeOrganization> {
  const platform = await startPlatformProcess(people);
  platform.slowDown();
  const { pages, sequentialMs } = await readSequentially(platform);
  const results: Awaited<ReturnType<typeof measureRound>>[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await measureRound(platform));
  platform.stop();
  const middle = (value: (result: (typeof results)[number]) => number) => Math.round(median(results.map(value)));
  const coldMs = middle((result) => result.peopleColdMs);
  return {
    people,
    summary: {
      coldCalls: middle((result) => result.summaryCold.calls),
      nextCalls: middle((result) => result.summaryNext.calls),
      coldMs: middle((result) => result.summaryCold.ms),
      nextMs: middle((result) => result.summaryNext.ms),
      coldCpuMs: middle((result) => result.coldCpuMs),
      warmCpuMs: middle((result) => result.warmCpuMs),
    },
    peopleView: { pages, sequentialMs, coldMs, ratio: Math.round((10 * sequentialMs) / coldMs) / 10 },
    memory: {
      idleMb: middle((result) => result.idleMb),
      peakOverIdleMb: middle((result) => result.peakMb - result.idleMb),
    },
    worstStallMs: middle((result) => result.peopleStallMs),
    summaryWorstStallMs: middle((result) => result.summaryStallMs),
  };
}

async function measureRound(platform: PlatformProcess) {
  const clock = createMovableClock(NOW);
  const slack = await startSlack({ clock });
  await slack.control.configure(readInstalledApp());
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-bench-'));
  const bot = await startBotProcess(
    {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      PLATFORM_BASE_URL: platform.baseUrl,
      PLATFORM_APP_URL: platform.baseUrl,
      PLATFORM_API_KEY: platform.apiKey,
      DATABASE_URL: `file:${join(folder, 'bench.db')}`,
      PORT: '0',
      MANAGERS: 'morgan.manager@acme.example',
      ...IMAGE.environment,
    },
    NOW,
    IMAGE.nodeOptions,
  );
  // Modules loaded with the first command of a process belong to no answer.
  await ask(slack, 'help');
  const { memoryMb: idleMb } = await bot.measure();
  await platform.calls();
  const summaryCold = await askAndCount(slack, platform, 'summary 28d');
  const { worstStallMs: summaryStallMs, cpuMs: coldCpuMs } = await bot.measure();
  const summaryNext = await askAndCount(slack, platform, 'summary 28d');
  const warm: number[] = [];
  for (let command = 0; command < WARM_COMMANDS; command += 1) {
    await bot.measure();
    await ask(slack, 'summary 28d');
    warm.push((await bot.measure()).cpuMs);
  }
  const { ms: peopleColdMs } = await askAndCount(slack, platform, 'people 28d');
  const { peakMemoryMb: peakMb, worstStallMs: peopleStallMs } = await bot.measure();
  await stop(bot, slack);
  clock.dispose();
  rmSync(folder, { recursive: true, force: true });
  const warmCpuMs = median(warm);
  return {
    idleMb,
    peakMb,
    summaryCold,
    summaryNext,
    summaryStallMs,
    coldCpuMs,
    warmCpuMs,
    peopleColdMs,
    peopleStallMs,
  };
}

async function stop(bot: BotProcess, slack: SandboxSlack): Promise<void> {
  await bot.stop();
  await slack.close();
}

async function askAndCount(slack: SandboxSlack, platform: PlatformProcess, text: string) {
  const startedMs = performance.now();
  await ask(slack, text);
  const ms = Math.round(performance.now() - startedMs);
  return { ms, calls: await platform.calls() };
}

/** Types the command and waits for its answer; progress messages do not count. */
async function ask(slack: SandboxSlack, text: string): Promise<void> {
  const since = slack.mark();
  await slack.control.command({ as: 'morgan', channel: 'general', command: '/usage', text });
  await slack.next('ephemeral', ({ message }) => !message.text.startsWith('Reading'), {
    since,
    timeoutMs: ANSWER_TIMEOUT_MS,
  });
}

export interface PlatformProcess {
  baseUrl: string;
  apiKey: string;
  slowDown(): void;
  /** Returns the number of calls since its last call. */
  calls(): Promise<number>;
  stop(): void;
}

export async function startPlatformProcess(people: number): Promise<PlatformProcess> {
  const child: ChildProcess = fork(new URL('platform-process.ts', import.meta.url), {
    env: { PEOPLE: String(people), TEST_NOW: NOW.toISOString(), PATH: process.env['PATH'] },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [message] = await once(child, 'message');
  const { baseUrl, apiKey } = readySchema.parse(message);
  return {
    baseUrl,
    apiKey,
    slowDown: () => void child.send({ order: 'slow', delayMs: PLATFORM_DELAY_MS }),
    calls: async () => {
      child.send({ order: 'count' });
      const [answer] = await once(child, 'message');
      return requestsSchema.parse(answer).requests.length;
    },
    stop: () => child.disconnect(),
  };
}

const pageSchema = z.object({
  data: z.array(z.unknown()),
  meta: z.object({ has_more: z.boolean().optional(), next_cursor: z.string().optional() }),
});

async function readPage({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }, day: string, cursor?: string) {
  const query = new URLSearchParams({ startDate: day, endDate: day, limit: '100', ...(cursor ? { cursor } : {}) });
  const response = await fetch(`${baseUrl}/api/v1/analytics/users?${query.toString()}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return pageSchema.parse(await response.json()).meta;
}

/** Every page of every day, one after another. */
async function readSequentially(platform: PlatformProcess): Promise<{ pages: number; sequentialMs: number }> {
  const startedMs = performance.now();
  let pages = 0;
  for (const day of daysOf(PERIOD)) {
    let meta = await readPage(platform, day);
    pages += 1;
    while (meta.has_more) {
      meta = await readPage(platform, day, meta.next_cursor);
      pages += 1;
    }
  }
  return { pages, sequentialMs: Math.round(performance.now() - startedMs) };
}
