/**
 * How fast the bot acknowledges commands that come all at once, beside a bare Bolt app that only acknowledges; and what the
 * figures of a large organization cost, beside reading the same pages one after another. Ends with status 1 when a
 * requirement is missed.
 */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startBareBolt, startBot } from './contestants.ts';
import { measureLargeOrganization, type LargeOrganization } from './large-organization.ts';
import { compare, type Comparison } from './rounds.ts';

const USAGE =
  'Usage: npm run bench -- [--only acknowledgements|large] [--rounds 9] [--commands 50] [--people 10000] [--large-rounds 3] [--json]';
const WARM_UP_ROUNDS = 2;
const HIGHEST_P99_MS = 100;
const HIGHEST_RATIO = 1.3;
const MOST_COLD_CALLS = 12;
const MOST_NEXT_CALLS = 4;
const LEAST_SPEED_UP = 6;
const MOST_MEMORY_MB = 150;
const LONGEST_STALL_MS = 50;

const argumentsSchema = z.object({
  only: z.enum(['acknowledgements', 'large']).optional(),
  rounds: z.coerce.number().int().min(1).max(1000).default(9),
  commands: z.coerce.number().int().min(1).max(500).default(50),
  people: z.coerce.number().int().min(5).max(20_000).default(10_000),
  'large-rounds': z.coerce.number().int().min(1).max(100).default(3),
  json: z.boolean().default(false),
});
type Arguments = z.infer<typeof argumentsSchema>;

/** What one part of the benchmark says: for people, for programs, and where it missed what is required. */
interface Result {
  figures: object;
  lines: string[];
  faults: string[];
}

async function main(): Promise<void> {
  const wishes = readArguments();
  const results: Result[] = [];
  if (wishes.only !== 'large') results.push(await acknowledgements(wishes));
  if (wishes.only !== 'acknowledgements') results.push(await largeOrganization(wishes));
  const faults = results.flatMap((result) => result.faults);
  const figures = Object.assign({}, ...results.map((result) => result.figures));
  const lines = [...results.flatMap((result) => result.lines), ...faults.map((fault) => `missed: ${fault}`)];
  console.log(wishes.json ? JSON.stringify({ ...figures, faults }) : lines.join('\n'));
  process.exitCode = faults.length > 0 ? 1 : 0;
}

function readArguments(): Arguments {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      only: text,
      rounds: text,
      commands: text,
      people: text,
      'large-rounds': text,
      json: { type: 'boolean' },
    },
  });
  const result = argumentsSchema.safeParse(values);
  if (result.success) return result.data;
  console.error(`${z.prettifyError(result.error)}\n${USAGE}`);
  return process.exit(2);
}

async function acknowledgements({ rounds, commands }: Arguments): Promise<Result> {
  const bot = await startBot();
  const bare = await startBareBolt();
  const comparison = await compare({ bot, bare }, { rounds, warmUpRounds: WARM_UP_ROUNDS, commands });
  await Promise.all([bot.stop(), bare.stop()]);
  const ratio = { p50: ratioOf(comparison, 'p50Ms'), p99: ratioOf(comparison, 'p99Ms') };
  return {
    figures: { commands, rounds, ...comparison, ratio },
    lines: describeComparison({ commands, rounds, ...comparison, ratio }),
    faults: [
      ...(comparison.bot.p99Ms >= HIGHEST_P99_MS
        ? [`p99 is ${comparison.bot.p99Ms} ms; it must stay below ${HIGHEST_P99_MS} ms`]
        : []),
      ...(ratio.p99 > HIGHEST_RATIO ? [`p99 is ${ratio.p99} times the bare app’s; ${HIGHEST_RATIO} is allowed`] : []),
    ],
  };
}

function ratioOf({ bot, bare }: Comparison, which: 'p50Ms' | 'p99Ms'): number {
  return Math.round((100 * bot[which]) / Math.max(1, bare[which])) / 100;
}

function describeComparison(result: {
  commands: number;
  rounds: number;
  bot: Comparison['bot'];
  bare: Comparison['bare'];
  ratio: { p50: number; p99: number };
}): string[] {
  const row = (name: string, p50: string, p99: string) => `${name.padEnd(22)}${p50.padStart(10)}${p99.padStart(10)}`;
  const { bot, bare, ratio } = result;
  return [
    `Acknowledgement of ${result.commands} commands at once, median of ${result.rounds} rounds:`,
    row('', 'p50', 'p99'),
    row('Quartermaster', `${bot.p50Ms} ms`, `${bot.p99Ms} ms`),
    row('Bolt, acknowledging', `${bare.p50Ms} ms`, `${bare.p99Ms} ms`),
    row('ratio', String(ratio.p50), String(ratio.p99)),
  ];
}

async function largeOrganization(wishes: Arguments): Promise<Result> {
  const measured = await measureLargeOrganization(wishes.people, wishes['large-rounds']);
  return {
    figures: { largeOrganization: measured },
    lines: describeLarge(measured, wishes['large-rounds']),
    faults: missedByLarge(measured),
  };
}

function describeLarge(large: LargeOrganization, rounds: number): string[] {
  const { people, summary, peopleView, memory } = large;
  return [
    `An organization of ${people} people, median of ${rounds} bots with an empty store:`,
    `  /usage summary 28d   ${summary.coldCalls} calls in ${summary.coldMs} ms, the next time ${summary.nextCalls} calls in ${summary.nextMs} ms`,
    `  /usage people 28d    ${peopleView.coldMs} ms; ${peopleView.pages} pages one after another ${peopleView.sequentialMs} ms: ${peopleView.ratio} times faster`,
    `  memory               ${memory.peakOverIdleMb} MB at its peak over ${memory.idleMb} MB idle`,
    `  event loop           at most ${large.worstStallMs} ms late during people, ${large.summaryWorstStallMs} ms during summary`,
  ];
}

function missedByLarge({
  summary,
  peopleView,
  memory,
  worstStallMs,
  summaryWorstStallMs,
}: LargeOrganization): string[] {
  const faults: string[] = [];
  const check = (isMet: boolean, fault: string) => {
    if (!isMet) faults.push(fault);
  };
  check(
    summary.coldCalls <= MOST_COLD_CALLS,
    `a summary takes ${summary.coldCalls} calls; ${MOST_COLD_CALLS} are allowed`,
  );
  check(
    summary.nextCalls <= MOST_NEXT_CALLS,
    `the next one takes ${summary.nextCalls} calls; ${MOST_NEXT_CALLS} are allowed`,
  );
  check(
    peopleView.ratio >= LEAST_SPEED_UP,
    `people are ${peopleView.ratio} times faster; it must be ${LEAST_SPEED_UP}`,
  );
  check(
    memory.peakOverIdleMb <= MOST_MEMORY_MB,
    `the peak is ${memory.peakOverIdleMb} MB over idle; ${MOST_MEMORY_MB} MB are allowed`,
  );
  const stallMs = Math.max(worstStallMs, summaryWorstStallMs);
  check(stallMs <= LONGEST_STALL_MS, `the event loop was ${stallMs} ms late; ${LONGEST_STALL_MS} ms are allowed`);
  return faults;
}

await main();
