/**
 * How fast the bot acknowledges commands that come all at once, beside a bare Bolt app that only acknowledges. Ends with
 * status 1 when a requirement is missed.
 */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startBareBolt, startBot } from './contestants.ts';
import { compare, type Comparison } from './rounds.ts';

const USAGE = 'Usage: npm run bench -- [--rounds 9] [--commands 50] [--json]';
const WARM_UP_ROUNDS = 2;
const HIGHEST_P99_MS = 100;
const HIGHEST_RATIO = 1.3;

const argumentsSchema = z.object({
  rounds: z.coerce.number().int().min(1).max(1000).default(9),
  commands: z.coerce.number().int().min(1).max(500).default(50),
  json: z.boolean().default(false),
});

async function main(): Promise<void> {
  const { rounds, commands, json } = readArguments();
  const bot = await startBot();
  const bare = await startBareBolt();
  const comparison = await compare({ bot, bare }, { rounds, warmUpRounds: WARM_UP_ROUNDS, commands });
  await Promise.all([bot.stop(), bare.stop()]);
  const ratio = { p50: ratioOf(comparison, 'p50Ms'), p99: ratioOf(comparison, 'p99Ms') };
  const faults = missedRequirements(comparison, ratio.p99);
  const result = { commands, rounds, ...comparison, ratio, faults };
  console.log(json ? JSON.stringify(result) : describe(result));
  process.exitCode = faults.length > 0 ? 1 : 0;
}

function readArguments(): z.infer<typeof argumentsSchema> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { rounds: text, commands: text, json: { type: 'boolean' } } });
  const result = argumentsSchema.safeParse(values);
  if (result.success) return result.data;
  console.error(`${z.prettifyError(result.error)}\n${USAGE}`);
  return process.exit(2);
}

function ratioOf({ bot, bare }: Comparison, which: 'p50Ms' | 'p99Ms'): number {
  return Math.round((100 * bot[which]) / Math.max(1, bare[which])) / 100;
}

function missedRequirements({ bot }: Comparison, ratio: number): string[] {
  const faults: string[] = [];
  if (bot.p99Ms >= HIGHEST_P99_MS) faults.push(`p99 is ${bot.p99Ms} ms; it must stay below ${HIGHEST_P99_MS} ms`);
  if (ratio > HIGHEST_RATIO) faults.push(`p99 is ${ratio} times the bare app’s; ${HIGHEST_RATIO} is allowed`);
  return faults;
}

function describe(result: {
  commands: number;
  rounds: number;
  bot: Comparison['bot'];
  bare: Comparison['bare'];
  ratio: { p50: number; p99: number };
  faults: string[];
}): string {
  const row = (name: string, p50: string, p99: string) => `${name.padEnd(22)}${p50.padStart(10)}${p99.padStart(10)}`;
  const { bot, bare, ratio } = result;
  return [
    `Acknowledgement of ${result.commands} commands at once, median of ${result.rounds} rounds:`,
    row('', 'p50', 'p99'),
    row('Quartermaster', `${bot.p50Ms} ms`, `${bot.p99Ms} ms`),
    row('Bolt, acknowledging', `${bare.p50Ms} ms`, `${bare.p99Ms} ms`),
    row('ratio', String(ratio.p50), String(ratio.p99)),
    ...result.faults.map((fault) => `missed: ${fault}`),
  ].join('\n');
}

await main();
