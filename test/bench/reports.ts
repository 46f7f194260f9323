import { BURST_EVERY_MS, measureBusyBursts, type BusyBursts } from './busy-bursts.ts';
import { startBareBolt, startBot } from './contestants.ts';
import { measureOverload, type Overload } from './overload.ts';
import { measureStarts, type Started } from './start.ts';
import { compare, measureAtOnce, type Act, type Comparison } from './rounds.ts';

const WARM_UP_ROUNDS = 10;
const HIGHEST_P99_MS = 100;
const HIGHEST_RATIOS: Record<Act, number> = { command: 1.3, click: 1.5 };
const HIGHEST_BUSY_RATIO = 1.3;
const HIGHEST_OVERLOAD_P99_MS = 500;
const MAX_OVERLOAD_MEMORY_MB = 200;

/** The bundle, compared with a bare Bolt app in the same run. */
const HIGHEST_START_RATIOS = { readyMs: 1.3, idleMb: 1.4, usedMb: 1.6 };
const MAX_IDLE_MB_OF_NPM_START = 126;

/** The result of one part of the benchmark: for people, for programs, and the missed requirements. */
export interface Result {
  figures: object;
  lines: string[];
  faults: string[];
}

/** Commands, clicks that are stored before they are acknowledged, and commands while the bot works on earlier ones. */
export async function reportAcknowledgements({
  rounds,
  'busy-rounds': busyRounds,
  commands: count,
}: {
  rounds: number;
  'busy-rounds': number;
  commands: number;
}): Promise<Result> {
  const bot = await startBot();
  const bare = await startBareBolt();
  const measure = (act: Act) =>
    compare({ bot, bare }, { rounds, warmUpRounds: WARM_UP_ROUNDS }, (contestant) =>
      measureAtOnce(contestant, act, count),
    );
  const command = await measure('command');
  const click = await measure('click');
  await Promise.all([bot.stop(), bare.stop()]);
  const busy = await measureBusyBursts({ rounds: busyRounds, count });
  return {
    figures: {
      acknowledgements: { count, rounds, command, click, busy: { rounds: busyRounds, ...busy, ratio: ratiosOf(busy) } },
    },
    lines: [
      ...describeComparison(`${count} commands at once, median of ${rounds} rounds`, command),
      ...describeComparison(`${count} clicks at once that are stored first`, click),
      ...describeBusyBursts(count, busyRounds, busy),
    ],
    faults: [
      ...missedByComparison('command', command),
      ...missedByComparison('click', click),
      ...missedByBusyBursts(busy),
    ],
  };
}

function ratioOf({ bot, bare }: Comparison, which: 'p50Ms' | 'p99Ms'): number {
  return Math.round((100 * bot[which]) / Math.max(1, bare[which])) / 100;
}

const ratiosOf = (comparison: Comparison) => ({
  p50: ratioOf(comparison, 'p50Ms'),
  p99: ratioOf(comparison, 'p99Ms'),
});

const inMs = (ms: number) => `${ms.toFixed(1)} ms`;
const row = (name: string, ...cells: string[]) => name.padEnd(22) + cells.map((cell) => cell.padStart(10)).join('');

function describeComparison(title: string, comparison: Comparison): string[] {
  const { bot, bare } = comparison;
  return [
    `Acknowledgement of ${title}:`,
    row('', 'p50', 'p99'),
    row('Quartermaster', inMs(bot.p50Ms), inMs(bot.p99Ms)),
    row('Bolt, acknowledging', inMs(bare.p50Ms), inMs(bare.p99Ms)),
    row('ratio', String(ratioOf(comparison, 'p50Ms')), String(ratioOf(comparison, 'p99Ms'))),
  ];
}

function missedByComparison(act: Act, comparison: Comparison): string[] {
  const faults: string[] = [];
  const { p99Ms } = comparison.bot;
  if (p99Ms >= HIGHEST_P99_MS) faults.push(`p99 of ${act}s is ${p99Ms} ms; it must stay below ${HIGHEST_P99_MS} ms`);
  const ratio = ratioOf(comparison, 'p99Ms');
  const allowed = HIGHEST_RATIOS[act];
  if (ratio > allowed) faults.push(`p99 of ${act}s is ${ratio} times the bare app’s; ${allowed} is allowed`);
  return faults;
}

function describeBusyBursts(count: number, rounds: number, busy: BusyBursts): string[] {
  const bursts = `${count} commands every ${BURST_EVERY_MS / 1_000} s, each over a new connection`;
  return [
    ...describeComparison(`${bursts}, while earlier ones are worked on, median of ${rounds} rounds`, busy),
    row('Bolt, busy thread', inMs(busy.besideBusyThread.p50Ms), inMs(busy.besideBusyThread.p99Ms)),
    `  when a burst began, ${busy.unanswered} earlier commands had no answer yet (median); a command takes ${busy.cpuMs.toFixed(1)} ms of processor`,
  ];
}

function missedByBusyBursts(busy: BusyBursts): string[] {
  const ratio = ratioOf(busy, 'p99Ms');
  if (ratio <= HIGHEST_BUSY_RATIO) return [];
  return [`p99 of commands under work is ${ratio} times the bare app’s; ${HIGHEST_BUSY_RATIO} is allowed`];
}

export async function reportOverload(durationMs: number): Promise<Result> {
  const overload = await measureOverload(durationMs);
  const { capacity, typed, commands, refused, unanswered, bot, bare, memory } = overload;
  return {
    figures: { overload },
    lines: [
      `Overload, ${typed} commands a second for ${durationMs / 1_000} s where ${capacity} can be answered:`,
      row('', 'p50', 'p99'),
      row('Quartermaster', `${bot.p50Ms} ms`, `${bot.p99Ms} ms`),
      row('Bolt, acknowledging', `${bare.p50Ms} ms`, `${bare.p99Ms} ms`),
      `  of ${commands} commands ${refused} were answered with "try again", ${unanswered} were not answered`,
      `  memory               ${memory.peakOverIdleMb} MB at its peak over ${memory.idleMb} MB idle`,
    ],
    faults: missedByOverload(overload),
  };
}

function missedByOverload({ bot, unanswered, memory }: Overload): string[] {
  const faults: string[] = [];
  if (bot.p99Ms > HIGHEST_OVERLOAD_P99_MS)
    faults.push(`under overload p99 is ${bot.p99Ms} ms; ${HIGHEST_OVERLOAD_P99_MS} ms are allowed`);
  if (unanswered > 0) faults.push(`under overload ${unanswered} acknowledged commands were not answered`);
  if (memory.peakOverIdleMb > MAX_OVERLOAD_MEMORY_MB)
    faults.push(
      `under overload the peak is ${memory.peakOverIdleMb} MB over idle; ${MAX_OVERLOAD_MEMORY_MB} MB are allowed`,
    );
  return faults;
}

export async function reportStarts(rounds: number): Promise<Result> {
  const { image, sources, bare } = await measureStarts(rounds);
  const line = (name: string, { readyMs, idleMb, usedMb }: Started) =>
    row(name, `${readyMs} ms`, `${idleMb} MB`, `${usedMb} MB`);
  const ratios = startRatios(image, bare);
  return {
    figures: { start: { image, sources, bare, ratios } },
    lines: [
      `From the start of the process until it is ready, and memory when idle and after 200 commands, median of ${rounds}:`,
      line('bundle of the image', image),
      line('npm start', sources),
      line('Bolt, acknowledging', bare),
      row('bundle to Bolt', ...Object.values(ratios).map(String)),
    ],
    faults: missedByStart(ratios, sources),
  };
}

function startRatios(image: Started, bare: Started): Started {
  const ratioOf = (measure: keyof Started) => Math.round((100 * image[measure]) / bare[measure]) / 100;
  return { readyMs: ratioOf('readyMs'), idleMb: ratioOf('idleMb'), usedMb: ratioOf('usedMb') };
}

function missedByStart({ readyMs, idleMb, usedMb }: Started, sources: Started): string[] {
  const faults: string[] = [];
  const allowed = HIGHEST_START_RATIOS;
  if (readyMs > allowed.readyMs)
    faults.push(`the bundle is ready after ${readyMs} times the bare app’s time; ${allowed.readyMs} are allowed`);
  if (idleMb > allowed.idleMb)
    faults.push(`the bundle takes ${idleMb} times the bare app’s memory; ${allowed.idleMb} are allowed`);
  if (usedMb > allowed.usedMb)
    faults.push(`after commands it takes ${usedMb} times the bare app’s memory; ${allowed.usedMb} are allowed`);
  if (sources.idleMb > MAX_IDLE_MB_OF_NPM_START)
    faults.push(`npm start takes ${sources.idleMb} MB; ${MAX_IDLE_MB_OF_NPM_START} MB are allowed`);
  return faults;
}
