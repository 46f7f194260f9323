import type { SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import type { PlatformProcess } from '../large-organization.ts';
import { hoursOf, SEVEN, startScaleScene, twoDigits, type ScaleScene, type ScaleSettings } from './scale-scene.ts';

const HOUR_MS = 60 * 60_000;
const AFTER_HOUR_MS = 5_000;
const HOMES = 200;
const ANSWER_TIMEOUT_MS = 30 * 60_000;
const MORNING_TIMEOUT_MS = 30 * 60_000;
const LOOK_EVERY_MS = 50;
const SECOND_MS = 1_000;

/** A command: its time, its requests to the platform, and the memory over that of the idle process. */
export interface Reading {
  ms: number;
  calls: number;
  overIdleMb: number;
}

export interface ScaleRow extends ScaleSettings {
  people: number;
  idleMb: number;
  cold: Reading;
  warm: Reading;
  /** Undefined if it was not measured. */
  peopleView?: Reading | undefined;
  morning: {
    ms: number;
    calls: number;
    overIdleMb: number;
    cpuMsADigest: number;
    /** What all processes take together in an hour of the same length without a digest; not part of that of a digest. */
    restingCpuMs: number;
    /** Slack's limit of posts is one a second in a channel; the busiest channel and second of the morning. */
    busiestPostsASecond: number;
    lockShare: number;
  };
  commandCpuMs: number;
  homes: { ms: number; cpuMsEach: number; pages: number };
  storeMb: number;
}

/** Measures one size on one engine with a number of processes. Times include the simulated platform's. */
export async function measureScale(
  platform: PlatformProcess,
  people: number,
  settings: ScaleSettings,
  readsPeople: boolean,
): Promise<ScaleRow> {
  const scene = await startScaleScene(platform, settings);
  try {
    const { slack } = scene;
    await ask(slack, 'help');
    const idleMb = (await measureAll(scene)).memoryMb;
    await platform.calls();
    const read = async (text: string): Promise<Reading> => {
      const ms = await ask(slack, text);
      const { peakMemoryMb } = await measureAll(scene);
      return { ms, calls: await platform.calls(), overIdleMb: Math.round(peakMemoryMb - idleMb) };
    };
    const cold = await read('28d');
    const warm = await read('28d');
    const peopleView = readsPeople ? await read('people 28d') : undefined;
    const mornings = [];
    for (const hour of hoursOf(settings))
      mornings.push(await measureMorning(scene, platform, { hour, ...settings }, idleMb));
    const middle = middleOf(mornings);
    const restingCpuMs = await measureRest(scene, SEVEN.getUTCHours() + settings.mornings + 1, middle.ms);
    const cpuMsADigest = tenths((middle.cpuMs - restingCpuMs) / settings.digests);
    const morning = { ...middle, cpuMsADigest, restingCpuMs: Math.round(restingCpuMs) };
    // Each process first answers as many as the only one does: those that have just started still compile their code.
    await measureCommands(scene, settings.commands * settings.processes);
    const commandCpuMs = await measureCommands(scene, settings.commands);
    const homes = await measureHomes(scene);
    const storeMb = Math.round(await scene.database.sizeMb());
    return {
      ...settings,
      people,
      idleMb: Math.round(idleMb),
      cold,
      warm,
      peopleView,
      morning,
      commandCpuMs,
      homes,
      storeMb,
    };
  } finally {
    await scene.stop();
  }
}

const tenths = (value: number) => Math.round(10 * value) / 10;

const startOf = (hour: number) => new Date(SEVEN.getTime() + (hour - SEVEN.getUTCHours()) * HOUR_MS + AFTER_HOUR_MS);

/** Each process starts its jobs in an hour at which no digest is due. @returns the processor time of all together */
export async function measureRest(scene: ScaleScene, hour: number, ms: number): Promise<number> {
  await measureAll(scene);
  scene.moveTo(startOf(hour));
  await new Promise((resolve) => setTimeout(resolve, ms));
  return (await measureAll(scene)).cpuMs;
}

type Morning = Awaited<ReturnType<typeof measureMorning>>;

/** The median morning by its processor time, without the first one. */
function middleOf(mornings: readonly Morning[]): Morning {
  const later = mornings.slice(1).toSorted((one, other) => one.cpuMs - other.cpuMs);
  const middle = later[Math.floor(later.length / 2)];
  if (!middle) throw new Error('At least two mornings are needed');
  return { ...middle, overIdleMb: Math.max(...mornings.map(({ overIdleMb }) => overIdleMb)) };
}

/** Of all processes together: the processor time, and the memory of the largest. */
async function measureAll({ bots }: ScaleScene) {
  const all = await Promise.all(bots.map((bot) => bot.measure()));
  return {
    cpuMs: all.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    memoryMb: Math.max(...all.map(({ memoryMb }) => memoryMb)),
    peakMemoryMb: Math.max(...all.map(({ peakMemoryMb }) => peakMemoryMb)),
  };
}

export async function ask(slack: SandboxSlack, text: string): Promise<number> {
  const since = slack.mark();
  const startedMs = performance.now();
  await slack.control.command({ as: 'morgan', channel: 'general', command: '/usage', text });
  await slack.next('ephemeral', ({ message }) => !message.text.startsWith('Reading'), {
    since,
    timeoutMs: ANSWER_TIMEOUT_MS,
  });
  return Math.round(performance.now() - startedMs);
}

export async function measureMorning(
  scene: ScaleScene,
  platform: PlatformProcess,
  { hour, digests }: { hour: number; digests: number },
  idleMb: number,
) {
  const { slack, bots } = scene;
  const locks = scene.database.watchLocks();
  await measureAll(scene);
  const startedMs = performance.now();
  const times = new Map<string, number>();
  const stop = slack.events.listen((event) => {
    if (event.kind !== 'message') return;
    const second = `${event.channel}:${Math.floor(performance.now() / SECOND_MS)}`;
    times.set(second, (times.get(second) ?? 0) + 1);
  });
  scene.moveTo(startOf(hour));
  const sent = () =>
    new Set(
      bots.flatMap(({ settled }) =>
        settled.flatMap(({ key, state }) =>
          key.startsWith('digest:') &&
          key.includes(`at${twoDigits(hour)}:`) &&
          !key.includes(':detail:') &&
          state === 'sent'
            ? [key]
            : [],
        ),
      ),
    ).size;
  while (sent() < digests) {
    if (performance.now() - startedMs > MORNING_TIMEOUT_MS) throw new Error(`${sent()} of ${digests} digests`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  const ms = Math.round(performance.now() - startedMs);
  stop();
  const { cpuMs, peakMemoryMb } = await measureAll(scene);
  return {
    ms,
    calls: await platform.calls(),
    overIdleMb: Math.round(peakMemoryMb - idleMb),
    cpuMs,
    busiestPostsASecond: Math.max(0, ...times.values()),
    lockShare: Math.round(1_000 * (await locks.stop())) / 1_000,
  };
}

/**
 * One command after another: processes that compute at the same time slow each other down on few cores, which is the
 * machine's cost and not theirs.
 */
export async function measureCommands(scene: ScaleScene, commands: number): Promise<number> {
  await measureAll(scene);
  for (let count = 0; count < commands; count += 1) await ask(scene.slack, '28d');
  const { cpuMs } = await measureAll(scene);
  return tenths(cpuMs / commands);
}

/** People who open App Home within a minute, as on a Monday. */
async function measureHomes(scene: ScaleScene) {
  const { slack } = scene;
  for (let index = 0; index < HOMES; index += 1)
    await slack.control.addPerson({ handle: `home${index}`, name: `home${index}`, email: `home${index}@acme.example` });
  await measureAll(scene);
  const since = slack.mark();
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: HOMES }, (_, index) => slack.control.openHome({ as: `home${index}` })));
  const published = () => slack.events.since(since).filter(({ kind }) => kind === 'home_published');
  const people = () => new Set(published().flatMap((event) => ('person' in event ? [event.person] : []))).size;
  while (people() < HOMES) {
    if (performance.now() - startedMs > MORNING_TIMEOUT_MS) throw new Error(`${people()} of ${HOMES} pages`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  const ms = Math.round(performance.now() - startedMs);
  const { cpuMs } = await measureAll(scene);
  return { ms, cpuMsEach: tenths(cpuMs / HOMES), pages: published().length };
}
