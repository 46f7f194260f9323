import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { createAnalyticsDays, type AnalyticsDays } from '../../src/core/analytics/days.ts';
import { noCheckpoint } from '../../src/core/base/checkpoint.ts';
import { plusDays, type Day } from '../../src/core/base/time/calendar.ts';
import { createLogger } from '../../src/core/base/log.ts';
import { createPlatformClient } from '../../src/core/platform/client.ts';
import { createMovableClock } from '../../src/sandbox/demo/movable-clock.ts';
import { openStore } from '../../src/core/store/database.ts';
import { insertBudget, listBudgets } from '../../src/features/alerts/budgets/core/budget-store.ts';
import { evaluateBudgets } from '../../src/features/alerts/budgets/evaluate/evaluate.ts';
import { NOW, startPlatformProcess } from './large-organization.ts';
import { budgetOf, evaluationDepsOf } from './many-budgets.ts';
import { IMAGE } from '../support/processes/bot-processes.ts';
import type { Result } from './reports.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FEW_BUDGETS = 200;
const DAY_MS = 24 * 60 * 60_000;
const MB = 1024 * 1024;

const log = createLogger('silent', []);

/** An acknowledgement is sent within three seconds even beside several of these. */
const MAX_STALL_MS = 200;

const resultSchema = z.object({
  figures: z.looseObject({}),
  lines: z.array(z.string()),
  faults: z.array(z.string()),
}) satisfies z.ZodType<Result>;

/** `reportBudgets` in a process of its own. @param root of the sources, by default these */
export async function reportBudgetsOfImage(people: number, count = FEW_BUDGETS, root = ROOT): Promise<Result> {
  const child = fork(join(root, 'test/bench/budgets-process.ts'), {
    env: { ...IMAGE.environment, PEOPLE: String(people), BUDGETS: String(count), PATH: process.env['PATH'] },
    execArgv: IMAGE.nodeOptions,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error('The process ended before it had evaluated the budgets');
  });
  const [message] = await Promise.race([once(child, 'message'), ended]);
  child.disconnect();
  await ended.catch(() => undefined);
  return resultSchema.parse(message);
}

/**
 * The cost of many budgets on a morning of a large organization: calls, time, memory, and the longest block of the
 * event loop.
 */
export async function reportBudgets(people: number, count: number): Promise<Result> {
  const platform = await startPlatformProcess(people);
  // The platform is a day ahead, so that one more morning follows.
  const clock = createMovableClock(new Date(NOW.getTime() - DAY_MS), { frozen: true });
  const client = createPlatformClient({
    baseUrl: platform.baseUrl,
    appUrl: platform.baseUrl,
    apiKey: platform.apiKey,
    clock,
  });
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-bench-'));
  const store = await openStore(`file:${join(folder, 'bench.db')}`);
  const days = createAnalyticsDays({ platform: client, db: store.db, clock, log, peopleDays: 375 });
  const digestStore = await openStore(`file:${join(folder, 'digest.db')}`);
  const digestDays = createAnalyticsDays({ platform: client, db: digestStore.db, clock, log, peopleDays: 375 });
  const today = NOW.toISOString().slice(0, 10);
  const yesterday = plusDays(today, -1);
  const emails = await readEmails(days, plusDays(today, -3));
  const emailOf = (person: number) => emails[person % emails.length];
  const deps = evaluationDepsOf({ db: store.db, clock, log, days, checkpoint: noCheckpoint }, emailOf);
  await store.db.transaction().execute(async (trx) => {
    for (let index = 0; index < count; index += 1) await insertBudget(trx, budgetOf(index), clock.now());
  });
  const look = async (on: Day) => {
    await platform.calls();
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const startedMs = performance.now();
    const before = process.memoryUsage().rss;
    await evaluateBudgets(deps, await listBudgets(store.db), { today: on, published: undefined });
    const ms = Math.round(performance.now() - startedMs);
    delay.disable();
    const memoryMb = Math.round((process.memoryUsage().rss - before) / MB);
    return { ms, calls: await platform.calls(), memoryMb, stallMs: Math.round(delay.max / 1e6) };
  };
  const first = await look(yesterday);
  await readLikeDigest(digestDays, plusDays(yesterday, -1));
  clock.moveTo(NOW);
  const morning = await look(today);
  await readLikeDigest(digestDays, yesterday);
  const digestCalls = await platform.calls();
  await client.close();
  await store.close();
  await digestStore.close();
  platform.stop();
  clock.dispose();
  rmSync(folder, { recursive: true, force: true });
  const words = ({ ms, calls, memoryMb, stallMs }: typeof first) =>
    `${calls} calls, ${ms} ms, ${memoryMb} MB more, event loop at most ${stallMs} ms late`;
  return {
    figures: { budgets: { people, budgets: count, first, morning, digestCalls } },
    lines: [
      `${count} budgets over an organization of ${people} people:`,
      `  the first look       ${words(first)}`,
      `  a morning            ${words(morning)}; the summary of one digest: ${digestCalls} calls`,
    ],
    faults: [
      ...(morning.calls > digestCalls ? [`a morning takes ${morning.calls} calls; a digest takes ${digestCalls}`] : []),
      ...[first, morning].flatMap(({ stallMs }) =>
        stallMs > MAX_STALL_MS ? [`the event loop was ${stallMs} ms late; ${MAX_STALL_MS} ms are allowed`] : [],
      ),
    ],
  };
}

async function readEmails(days: AnalyticsDays, day: Day): Promise<string[]> {
  const emails: string[] = [];
  await days.peopleCredits({ first: day, last: day }, ({ people, places }) => {
    for (const place of places) emails.push(people.emailAt(place) ?? '');
  });
  return emails;
}

/** The readings of a daily digest's summary for a new day. */
async function readLikeDigest(days: AnalyticsDays, day: Day): Promise<void> {
  const period = { first: plusDays(day, -7), last: day };
  await Promise.all([
    days.activity({ first: plusDays(day, -62), last: day }),
    days.credits(period),
    days.dailyCredits({ first: plusDays(day, -92), last: day }),
    days.tools(period),
    days.productivity(period),
  ]);
}
