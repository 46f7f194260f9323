import { startPlatformProcess } from '../large-organization.ts';
import { reportBudgetsOfImage } from '../budgets.ts';
import type { Result } from '../reports.ts';
import { compareReplicas, type ReplicaComparison } from './compare-replicas.ts';
import { measureScale, type Reading, type ScaleRow } from './measure-scale.ts';
import type { ScaleSettings } from './scale-scene.ts';

const PLACES: readonly Pick<ScaleSettings, 'engine' | 'processes'>[] = [
  { engine: 'sqlite', processes: 1 },
  { engine: 'postgres', processes: 1 },
  { engine: 'postgres', processes: 2 },
  { engine: 'postgres', processes: 4 },
];
const FEWEST_DIGESTS = 20;
const PEOPLE_A_DIGEST = 50;
const WATCHES = 200;
const ROUNDS = { mornings: 4, commands: 20 };
/** From this size on, a morning takes minutes. */
const LARGE = 100_000;
const FEW_ROUNDS = { mornings: 2, commands: 4 };
const BUDGETS = 1_000;
const MOST_MB_OVER_IDLE = 250;
const HIGHEST_CPU_RATIO = 1.15;
const HIGHEST_LOCK_SHARE = 0.05;

/**
 * The cost of organizations of several sizes, on SQLite and on Postgres with several processes.
 * @param processes measures only Postgres, with these numbers of processes
 */
export async function reportScale(sizes: readonly number[], processes: readonly number[] = []): Promise<Result> {
  const places = processes.length > 0 ? PLACES.filter((place) => isOneOf(place, processes)) : PLACES;
  const rows: ScaleRow[] = [];
  const lines: string[] = [];
  const budgetFaults: string[] = [];
  const comparisons: ReplicaComparison[] = [];
  for (const people of sizes) {
    const platform = await startPlatformProcess(people);
    platform.slowDown();
    for (const place of places) {
      const rounds = people >= LARGE ? FEW_ROUNDS : ROUNDS;
      const settings = { ...place, ...sizeOf(people), ...rounds };
      const row = await measureScale(platform, people, settings, place.engine === 'sqlite');
      rows.push(row);
      lines.push(describe(row));
      // A run takes most of an hour, so each row is shown at once.
      process.stderr.write(`${describe(row)}\n`);
    }
    const replicas = Math.max(...places.map((place) => place.processes));
    // At the largest size this would take another hour, so there the rows are compared.
    if (replicas > 1 && people < LARGE) {
      const comparison = await compareReplicas(platform, people, { ...sizeOf(people), processes: replicas });
      comparisons.push(comparison);
      lines.push(describeComparison(comparison));
    }
    platform.stop();
    const budgets = await reportBudgetsOfImage(people, BUDGETS);
    lines.push(...budgets.lines);
    budgetFaults.push(...budgets.faults);
  }
  const faults = [...budgetFaults, ...faultsOf(rows), ...comparisons.flatMap((comparison) => ratioFaults(comparison))];
  return { figures: { scale: rows, replicas: comparisons }, lines, faults };
}

function sizeOf(people: number): Pick<ScaleSettings, 'digests' | 'watches'> {
  const digests = Math.max(FEWEST_DIGESTS, people / PEOPLE_A_DIGEST);
  return { digests, watches: Math.min(WATCHES, digests) };
}

const isOneOf = ({ engine, processes }: (typeof PLACES)[number], numbers: readonly number[]) =>
  engine === 'postgres' && numbers.includes(processes);

const reading = ({ ms, calls, overIdleMb }: Reading) => `${ms} ms, ${calls} calls, ${overIdleMb} MB over idle`;

function describe({ people, engine, processes, digests, ...row }: ScaleRow): string {
  const { cold, warm, peopleView, morning, homes } = row;
  return [
    `${people} people, ${engine}, ${processes} ${processes === 1 ? 'process' : 'processes'}, ${digests} digests, ${row.watches} watches; idle ${row.idleMb} MB`,
    `  /usage 28d           cold ${reading(cold)}; warm ${warm.ms} ms, ${warm.calls} calls`,
    ...(peopleView ? [`  /usage people 28d    ${reading(peopleView)}`] : []),
    `  the morning          ${morning.ms} ms, ${morning.calls} calls, ${morning.overIdleMb} MB over idle, ${morning.cpuMsADigest} ms of processor a digest (and ${morning.restingCpuMs} ms without any), at most ${morning.busiestPostsASecond} posts a second in a channel, ${(100 * morning.lockShare).toFixed(1)} % of active sessions wait for a lock`,
    `  a command            ${row.commandCpuMs} ms of processor`,
    `  ${homes.pages} pages of App Home in ${homes.ms} ms, ${homes.cpuMsEach} ms of processor a person`,
    `  the store            ${row.storeMb} MB`,
  ].join('\n');
}

function faultsOf(rows: readonly ScaleRow[]): string[] {
  const faults: string[] = [];
  for (const row of rows) {
    const { people, engine, processes, morning, peopleView } = row;
    const where = `${people} people on ${engine} with ${processes}`;
    const overIdleMb = Math.max(morning.overIdleMb, peopleView?.overIdleMb ?? 0, row.cold.overIdleMb);
    if (overIdleMb > MOST_MB_OVER_IDLE) faults.push(`${where}: ${overIdleMb} MB over idle`);
    if (morning.lockShare > HIGHEST_LOCK_SHARE) faults.push(`${where}: ${100 * morning.lockShare} % wait for locks`);
    const one = rows.find((each) => each.people === people && each.engine === engine && each.processes === 1);
    if (!one || processes < 4 || people < LARGE) continue;
    const digestRatio = morning.cpuMsADigest / one.morning.cpuMsADigest;
    const commandRatio = row.commandCpuMs / one.commandCpuMs;
    faults.push(...ratioFaults({ people, processes, digestRatio, commandRatio }));
  }
  return faults;
}

const describeComparison = ({ people, processes, digestRatio, commandRatio }: ReplicaComparison) =>
  `${people} people, ${processes} processes beside one, in turns: a digest takes ${digestRatio.toFixed(2)} times the processor time, a command ${commandRatio.toFixed(2)} times`;

function ratioFaults({ people, processes, ...ratios }: ReplicaComparison): string[] {
  const tooMuch = (what: string, ratio: number) =>
    ratio > HIGHEST_CPU_RATIO
      ? [`${people} people with ${processes} processes: ${what} takes ${ratio.toFixed(2)} times the processor`]
      : [];
  return [...tooMuch('a digest', ratios.digestRatio), ...tooMuch('a command', ratios.commandRatio)];
}
