import { setTimeout as delay } from 'node:timers/promises';
import { countAnswers, type Answers } from './answers.ts';
import { typeCommand } from './commands.ts';
import { startBareBolt, startBot, type Contestant } from './contestants.ts';
import { percentile } from './statistics.ts';

/** The time of a request to the platform: with it the bot answers some dozens of commands a second on any machine. */
const PLATFORM_DELAY_MS = 1_000;
const OVERLOAD = 10;
const CAPACITY_MS = 10_000;
/** Enough to keep the bot busy without a refusal. */
const OUTSTANDING = 200;
const SEND_EVERY_MS = 20;

export interface Overload {
  /** Answers a second of a bot that is always busy. */
  capacity: number;
  /** Typed commands a second. */
  typed: number;
  commands: number;
  /** Commands that were answered with "try again in a minute". */
  refused: number;
  /** Acknowledged, but neither answered nor refused. */
  unanswered: number;
  bot: { p50Ms: number; p99Ms: number };
  bare: { p50Ms: number; p99Ms: number };
  memory: { idleMb: number; peakOverIdleMb: number };
}

/** Types ten times as many commands as the bot can answer, and as many to a bare Bolt app. */
export async function measureOverload(durationMs: number): Promise<Overload> {
  const bot = await startBot({ platformDelayMs: PLATFORM_DELAY_MS });
  const answers = countAnswers(bot.slack);
  // Modules loaded with the first command of a process belong to no answer.
  await typeCommand(bot, 0);
  await answers.reach(1);
  const { memoryMb: idleMb } = await bot.measure();
  const capacity = await measureCapacity(bot, answers);
  const before = answers.total();
  const refusedBefore = answers.refused();
  const rate = OVERLOAD * capacity;
  const own = await typeAtRate(bot, rate, durationMs);
  await answers.reach(before + own.length).catch(() => undefined);
  const unanswered = before + own.length - answers.total();
  answers.stop();
  const { peakMemoryMb } = await bot.measure();
  await bot.stop();
  const bare = await startBareBolt();
  const theirs = await typeAtRate(bare, rate, durationMs);
  await bare.stop();
  return {
    capacity: Math.round(capacity),
    typed: Math.round((1_000 * own.length) / durationMs),
    commands: own.length,
    refused: answers.refused() - refusedBefore,
    unanswered,
    bot: { p50Ms: percentile(own, 0.5), p99Ms: percentile(own, 0.99) },
    bare: { p50Ms: percentile(theirs, 0.5), p99Ms: percentile(theirs, 0.99) },
    memory: { idleMb: Math.round(idleMb), peakOverIdleMb: Math.round(peakMemoryMb - idleMb) },
  };
}

async function measureCapacity(bot: Contestant, answers: Answers): Promise<number> {
  const startedMs = performance.now();
  const before = answers.total();
  let typed = 0;
  while (performance.now() - startedMs < CAPACITY_MS) {
    const missing = OUTSTANDING - (typed - (answers.total() - before));
    await Promise.all(Array.from({ length: missing }, () => typeCommand(bot, (typed += 1))));
    await delay(SEND_EVERY_MS);
  }
  const perSecond = (1_000 * (answers.total() - before)) / (performance.now() - startedMs);
  await answers.reach(before + typed);
  return perSecond;
}

/** Types at an even pace, whatever the answers. */
async function typeAtRate(contestant: Contestant, perSecond: number, durationMs: number): Promise<number[]> {
  const startedMs = performance.now();
  const acknowledgements: Promise<number>[] = [];
  for (let elapsedMs = 0; elapsedMs < durationMs; elapsedMs = performance.now() - startedMs) {
    const due = Math.ceil((perSecond * elapsedMs) / 1_000);
    while (acknowledgements.length < due) acknowledgements.push(typeCommand(contestant, acknowledgements.length));
    await delay(SEND_EVERY_MS);
  }
  return Promise.all(acknowledgements);
}
