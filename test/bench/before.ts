/** Comparisons with an earlier version, in turns in one run: the machine is faster or slower from minute to minute. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { IMAGE } from '../support/processes/bot-processes.ts';
import { reportBudgetsOfImage } from './budgets.ts';
import { NOW, startPlatformProcess } from './large-organization.ts';
import type { Result } from './reports.ts';
import { median } from './statistics.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DIGESTS = 200;
const ROUNDS = 5;
const WARM_UP_MORNINGS = 1;
const HIGHEST_DIGEST_RATIO = 0.4;
const BUDGETS = 1_000;
const BUDGET_ROUNDS = 3;
const HIGHEST_BUDGET_RATIO = 0.2;
/** So many that adding up their days takes longer than anything else. */
const PEOPLE_OF_BUDGETS = 100_000;

const morningSchema = z.object({ cpuMs: z.number(), messages: z.array(z.string()) });
type Morning = z.infer<typeof morningSchema>;

/**
 * The processor time of a morning with 200 digests.
 *
 * @param before the root of the earlier version, where `npm ci` has run
 */
export async function reportMornings(people: number, before: string): Promise<Result> {
  const versions = [await startVersion(people, ROOT), await startVersion(people, resolve(before))];
  const mornings: Morning[][] = [];
  for (let round = 0; round < WARM_UP_MORNINGS + ROUNDS; round += 1) {
    const pair: Morning[] = [];
    for (const version of versions) pair.push(await version.next());
    mornings.push(pair);
  }
  await Promise.all(versions.map((version) => version.stop()));
  const [now = [], earlier = []] = [0, 1].map((index) =>
    mornings.slice(WARM_UP_MORNINGS).map((pair) => pair[index]?.cpuMs ?? Number.NaN),
  );
  const ratio = median(now.map((ms, round) => ms / (earlier[round] ?? Number.NaN)));
  const messages = mornings.map(([one, other]) => {
    const known = new Set(other?.messages);
    return { sent: one?.messages.length ?? 0, same: one?.messages.filter((numbers) => known.has(numbers)).length ?? 0 };
  });
  const sent = messages.reduce((sum, one) => sum + one.sent, 0);
  const same = messages.reduce((sum, one) => sum + one.same, 0);
  return {
    figures: { mornings: { people, digests: DIGESTS, now, before: earlier, ratio, sent, same } },
    lines: [
      `A morning with ${DIGESTS} digests of ${people} people, processor time, median of ${ROUNDS}:`,
      `  now ${range(now)}, before ${range(earlier)}: ${ratio.toFixed(2)} times`,
      `  ${same} of ${sent} messages hold the numbers of a message of the version before`,
    ],
    faults: tooHigh('a morning', ratio, HIGHEST_DIGEST_RATIO),
  };
}

async function startVersion(people: number, root: string) {
  const child = fork(new URL('morning-process.ts', import.meta.url), {
    env: {
      ROOT: root,
      PEOPLE: String(people),
      DIGESTS: String(DIGESTS),
      MORNINGS: String(WARM_UP_MORNINGS + ROUNDS),
      PATH: process.env['PATH'],
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const message = () =>
    Promise.race([
      once(child, 'message').then(([one]) => one),
      ended.then(() => Promise.reject(new Error(`The process of ${root} ended`))),
    ]);
  await message();
  return {
    next: async () => {
      child.send('next');
      return morningSchema.parse(await message());
    },
    stop: async () => {
      child.disconnect();
      await ended;
    },
  };
}

const evaluationSchema = z.object({ ms: z.number(), cpuMs: z.number() });

/** The processor time of the first evaluation of 1,000 budgets after a start, with their days in the store. */
export async function reportStoredBudgets(before: string, people = PEOPLE_OF_BUDGETS): Promise<Result> {
  const platform = await startPlatformProcess(people);
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-bench-'));
  const versions = [ROOT, resolve(before)].map((root, index) => ({ root, store: join(folder, `${index}.db`) }));
  const evaluate = async ({ root, store }: (typeof versions)[number]) => {
    const child = fork(new URL('stored-budgets-process.ts', import.meta.url), {
      env: {
        ...IMAGE.environment,
        ROOT: root,
        STORE: store,
        PEOPLE: String(people),
        BUDGETS: String(BUDGETS),
        BASE_URL: platform.baseUrl,
        API_KEY: platform.apiKey,
        TEST_NOW: NOW.toISOString(),
        PATH: process.env['PATH'],
      },
      execArgv: IMAGE.nodeOptions,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const ended = once(child, 'exit').then(() => Promise.reject(new Error(`The process of ${root} ended`)));
    const [message] = await Promise.race([once(child, 'message'), ended]);
    await ended.catch(() => undefined);
    return evaluationSchema.parse(message);
  };
  for (const version of versions) await evaluate(version);
  const rounds: { cpuMs: number; ms: number }[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const pair: { cpuMs: number; ms: number }[] = [];
    for (const version of versions) pair.push(await evaluate(version));
    rounds.push(pair);
  }
  platform.stop();
  rmSync(folder, { recursive: true, force: true });
  const [now = [], earlier = []] = [0, 1].map((index) => rounds.map((pair) => pair[index]?.cpuMs ?? Number.NaN));
  const ratio = median(now.map((ms, round) => ms / (earlier[round] ?? Number.NaN)));
  return {
    figures: { storedBudgets: { people, budgets: BUDGETS, now, before: earlier, ratio, rounds } },
    lines: [
      `The first evaluation of ${BUDGETS} budgets of ${people} people after a start, processor time, median of ${ROUNDS}:`,
      `  now ${range(now)}, before ${range(earlier)}: ${ratio.toFixed(2)} times`,
    ],
    faults: tooHigh('the first evaluation of budgets after a start', ratio, HIGHEST_BUDGET_RATIO),
  };
}

const firstLookSchema = z.object({ budgets: z.object({ first: z.object({ ms: z.number() }) }) });

/** The time of the first evaluation of 1,000 budgets, most of which the platform takes to answer. */
export async function reportBudgetsBefore(people: number, before: string): Promise<Result> {
  const now: number[] = [];
  const earlier: number[] = [];
  for (let round = 0; round < BUDGET_ROUNDS; round += 1) {
    now.push(await firstLookMs(people));
    earlier.push(await firstLookMs(people, resolve(before)));
  }
  const ratio = median(now.map((ms, round) => ms / (earlier[round] ?? 0)));
  return {
    figures: { budgetsBefore: { people, budgets: BUDGETS, now, before: earlier, ratio } },
    lines: [
      `The first evaluation of ${BUDGETS} budgets of ${people} people, median of ${BUDGET_ROUNDS}:`,
      `  now ${range(now)}, before ${range(earlier)}: ${ratio.toFixed(2)} times`,
    ],
    faults: tooHigh('the first evaluation of budgets', ratio, HIGHEST_BUDGET_RATIO),
  };
}

async function firstLookMs(people: number, root?: string): Promise<number> {
  const { figures } = await reportBudgetsOfImage(people, BUDGETS, root);
  return firstLookSchema.parse(figures).budgets.first.ms;
}

const range = (values: readonly number[]) =>
  `${Math.round(median(values))} ms (${Math.round(Math.min(...values))}–${Math.round(Math.max(...values))})`;

const tooHigh = (what: string, ratio: number, allowed: number) =>
  ratio > allowed ? [`${what} takes ${ratio.toFixed(2)} times the time before; ${allowed} is allowed`] : [];
