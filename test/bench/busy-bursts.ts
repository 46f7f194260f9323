import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { countAnswers } from './answers.ts';
import { typeCommand } from './commands.ts';
import { startBareBolt, startBot, type Contestant } from './contestants.ts';
import { startCourier, type Courier } from './courier.ts';
import { compare, medianOf, type Comparison, type Measured } from './rounds.ts';
import { median, percentile } from './statistics.ts';

export const BURST_EVERY_MS = 300;
/** With 50 commands a burst each of the five people types 100 in a round, so the bot refuses none. */
const BURSTS = 10;
/** The first round of a process also loads and compiles its code. */
const WARM_UP_ROUNDS = 1;

export interface BusyBursts extends Comparison {
  /** Commands of earlier bursts without an answer when the next burst begins, median over bursts. */
  unanswered: number;
  /** The processor time of a command, all threads of the bot together, median over rounds. */
  cpuMs: number;
  /** The bare app beside a thread that never rests: how much the delays are due to the cores of the machine. */
  besideBusyThread: Measured;
}

/** Measures acknowledgements of bursts that arrive, each request over a new connection, while the bot works on earlier ones. */
export async function measureBusyBursts({ rounds, count }: { rounds: number; count: number }): Promise<BusyBursts> {
  const courier = startCourier();
  const bot = await startBot({ courier });
  const bare = await startBareBolt({ courier });
  const unanswered: number[] = [];
  const cpuMs: number[] = [];
  const comparison = await compare({ bot, bare }, { rounds, warmUpRounds: WARM_UP_ROUNDS }, async (contestant) => {
    await bot.measure();
    const round = await measureRound(contestant, courier, count);
    if (contestant !== bot) return round;
    unanswered.push(...round.unanswered);
    cpuMs.push((await bot.measure()).cpuMs / (BURSTS * count));
    return round;
  });
  await bot.stop();
  const busyThread = new Worker('for (;;);', { eval: true });
  const beside: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) beside.push(await measureRound(bare, courier, count));
  await busyThread.terminate();
  await bare.stop();
  await courier.stop();
  return { ...comparison, unanswered: median(unanswered), cpuMs: median(cpuMs), besideBusyThread: medianOf(beside) };
}

/** Waits for all answers at the end, so that no work of the bot falls into a round of the bare app. */
async function measureRound(
  contestant: Contestant,
  courier: Courier,
  count: number,
): Promise<Measured & { unanswered: number[] }> {
  const answers = countAnswers(contestant.slack);
  const commands: Promise<number>[] = [];
  const unanswered: number[] = [];
  courier.takeDurations();
  const startedMs = performance.now();
  for (let burst = 0; burst < BURSTS; burst += 1) {
    if (burst > 0) unanswered.push(commands.length - answers.total());
    for (let index = 0; index < count; index += 1) commands.push(typeCommand(contestant, index));
    await delay(startedMs + (burst + 1) * BURST_EVERY_MS - performance.now());
  }
  await Promise.all(commands);
  const durations = courier.takeDurations();
  if (contestant.answers) await answers.reach(commands.length);
  answers.stop();
  return { p50Ms: percentile(durations, 0.5), p99Ms: percentile(durations, 0.99), unanswered };
}
