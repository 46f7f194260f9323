/**
 * The bot's acknowledgements of simultaneous commands, of commands during other work, and of ten times its capacity,
 * compared with a bare Bolt app; the cost of the figures of a large organization, compared with reading the same pages
 * one after another; and the error rates of unusual days and forecasts. Ends with status 1 if a requirement is missed.
 */
import { reportGroupDigest } from './group-digest.ts';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { reportBudgetsBefore, reportMornings, reportStoredBudgets } from './before.ts';
import { reportBudgetsOfImage } from './budgets.ts';
import { reportFold } from './fold.ts';
import { reportCalibration } from './calibration/calibration.ts';
import { measureLargeOrganization, type LargeOrganization } from './large-organization.ts';
import { reportIdle } from './idle.ts';
import { reportParsing } from './parsing.ts';
import { reportPolicies } from './policies.ts';
import { reportScale } from './scale/report-scale.ts';
import { reportStoreSize } from './store-size.ts';
import { reportAcknowledgements, reportOverload, reportStarts, type Result } from './reports.ts';

const USAGE =
  'Usage: npm run bench -- [--only acknowledgements|overload|large|fold|group-digest|budgets|parsing|idle|start|size|calibration|policies|scale|before] [--rounds 31] [--busy-rounds 7] [--commands 50] [--overload-seconds 20] [--start-rounds 5] [--policy-rounds 40] [--people 10000] [--large-rounds 3] [--idle-minutes 5] [--before ../earlier] [--parsing-rounds 15] [--parsing-people 40000] [--scale-people 1000,10000,100000] [--scale-processes 1,2,4] [--organizations 3200] [--month-organizations 400] [--seed 7] [--json]';
/** The days of a summary, those that it compares with, and thirteen weeks for usual ranges: two more than for nine weeks. */
const MAX_COLD_CALLS = 14;
const MAX_NEXT_CALLS = 4;
const LEAST_SPEED_UP = 8;
const MAX_MEMORY_MB = 150;
const MAX_STALL_MS = 50;
const MAX_SEED = 1_000_000_000;

/** Numbers with commas between. */
const listOf = (least: number, most: number) =>
  z
    .string()
    .transform((numbers) => numbers.split(','))
    .pipe(z.array(z.string().pipe(z.coerce.number<string>().int().min(least).max(most))));

const argumentsSchema = z.object({
  only: z
    .enum([
      'acknowledgements',
      'overload',
      'large',
      'fold',
      'group-digest',
      'budgets',
      'parsing',
      'idle',
      'start',
      'size',
      'calibration',
      'policies',
      'scale',
      'before',
    ])
    .optional(),
  rounds: z.coerce.number().int().min(1).max(1000).default(31),
  'busy-rounds': z.coerce.number().int().min(1).max(1000).default(7),
  commands: z.coerce.number().int().min(1).max(500).default(50),
  'overload-seconds': z.coerce.number().int().min(1).max(600).default(20),
  'policy-rounds': z.coerce.number().int().min(1).max(1000).default(40),
  'start-rounds': z.coerce.number().int().min(1).max(100).default(5),
  people: z.coerce.number().int().min(5).max(100_000).default(10_000),
  'large-rounds': z.coerce.number().int().min(1).max(100).default(3),
  'idle-minutes': z.coerce.number().int().min(1).max(1000).default(5),
  /** The root of an earlier version, for `--only idle` and `--only before`. */
  before: z.string().max(1_000).optional(),
  'parsing-rounds': z.coerce.number().int().min(1).max(1000).default(15),
  'parsing-people': z.coerce.number().int().min(100).max(100_000).default(40_000),
  'scale-people': listOf(100, 100_000).default([1_000, 10_000, 100_000]),
  /** Only Postgres with these numbers of processes; by default SQLite too. */
  'scale-processes': listOf(1, 4).default([]),
  organizations: z.coerce.number().int().min(1).max(100_000).default(3200),
  'month-organizations': z.coerce.number().int().min(1).max(100_000).default(400),
  seed: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_SEED)
    .default(() => Math.floor(MAX_SEED * Math.random())),
  json: z.boolean().default(false),
});
type Arguments = z.infer<typeof argumentsSchema>;

async function main(): Promise<void> {
  const options = readArguments();
  const results: Result[] = [];
  const isAsked = (part: Arguments['only']) => (options.only ?? part) === part;
  if (isAsked('acknowledgements')) results.push(await reportAcknowledgements(options));
  if (isAsked('overload')) results.push(await reportOverload(1_000 * options['overload-seconds']));
  if (isAsked('idle')) results.push(await reportIdle(options['idle-minutes'], options.before));
  if (isAsked('start')) results.push(await reportStarts(options['start-rounds']));
  if (isAsked('large')) results.push(await largeOrganization(options));
  if (isAsked('fold')) results.push(await reportFold(options.people));
  if (isAsked('group-digest')) results.push(await reportGroupDigest(options.people));
  if (isAsked('budgets')) results.push(await reportBudgetsOfImage(options.people));
  if (isAsked('parsing')) results.push(await reportParsing(options['parsing-people'], options['parsing-rounds']));
  if (isAsked('policies')) results.push(await reportPolicies(options['policy-rounds']));
  if (isAsked('size')) results.push(await reportStoreSize(options.people));
  // It takes most of an hour, so only by its name.
  if (options.only === 'scale') results.push(await reportScale(options['scale-people'], options['scale-processes']));
  if (options.only === 'before' && options.before !== undefined) {
    results.push(await reportMornings(options.people, options.before));
    results.push(await reportStoredBudgets(options.before));
    results.push(await reportBudgetsBefore(options.people, options.before));
  }
  if (isAsked('calibration')) results.push(reportCalibration(options));
  const faults = results.flatMap((result) => result.faults);
  const figures = Object.assign({}, ...results.map((result) => result.figures));
  const lines = [...results.flatMap((result) => result.lines), ...faults.map((fault) => `missed: ${fault}`)];
  console.log(options.json ? JSON.stringify({ ...figures, faults }) : lines.join('\n'));
  process.exitCode = faults.length > 0 ? 1 : 0;
}

function readArguments(): Arguments {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      only: text,
      rounds: text,
      'busy-rounds': text,
      commands: text,
      'overload-seconds': text,
      'start-rounds': text,
      'policy-rounds': text,
      people: text,
      'large-rounds': text,
      'idle-minutes': text,
      before: text,
      'parsing-rounds': text,
      'parsing-people': text,
      'scale-people': text,
      'scale-processes': text,
      organizations: text,
      'month-organizations': text,
      seed: text,
      json: { type: 'boolean' },
    },
  });
  const result = argumentsSchema.safeParse(values);
  if (result.success) return result.data;
  console.error(`${z.prettifyError(result.error)}\n${USAGE}`);
  return process.exit(2);
}

async function largeOrganization(options: Arguments): Promise<Result> {
  const measured = await measureLargeOrganization(options.people, options['large-rounds']);
  return {
    figures: { largeOrganization: measured },
    lines: describeLarge(measured, options['large-rounds']),
    faults: missedByLarge(measured),
  };
}

function describeLarge(large: LargeOrganization, rounds: number): string[] {
  const { people, summary, peopleView, memory } = large;
  return [
    `An organization of ${people} people, median of ${rounds} bots with an empty store:`,
    `  /usage summary 28d   ${summary.coldCalls} calls in ${summary.coldMs} ms, the next time ${summary.nextCalls} calls in ${summary.nextMs} ms`,
    `                       ${summary.coldCpuMs} ms of processor, and ${summary.warmCpuMs} ms once its days were used before`,
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
    summary.coldCalls <= MAX_COLD_CALLS,
    `a summary takes ${summary.coldCalls} calls; ${MAX_COLD_CALLS} are allowed`,
  );
  check(
    summary.nextCalls <= MAX_NEXT_CALLS,
    `the next one takes ${summary.nextCalls} calls; ${MAX_NEXT_CALLS} are allowed`,
  );
  check(
    peopleView.ratio >= LEAST_SPEED_UP,
    `people are ${peopleView.ratio} times faster; it must be ${LEAST_SPEED_UP}`,
  );
  check(
    memory.peakOverIdleMb <= MAX_MEMORY_MB,
    `the peak is ${memory.peakOverIdleMb} MB over idle; ${MAX_MEMORY_MB} MB are allowed`,
  );
  const stallMs = Math.max(worstStallMs, summaryWorstStallMs);
  check(stallMs <= MAX_STALL_MS, `the event loop was ${stallMs} ms late; ${MAX_STALL_MS} ms are allowed`);
  return faults;
}

await main();
