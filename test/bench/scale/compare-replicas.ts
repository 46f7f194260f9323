import type { PlatformProcess } from '../large-organization.ts';
import { median } from '../statistics.ts';
import { ask, measureCommands, measureMorning, measureRest } from './measure-scale.ts';
import { hoursOf, SEVEN, startScaleScene, type ScaleScene, type ScaleSettings } from './scale-scene.ts';

const ROUNDS = 5;
/** In the first ones, processes still compile their code. */
const WARM_UP_MORNINGS = 1;
const COMMANDS_A_ROUND = 20;

/** How many times the processor time of one process all replicas together take; the median of rounds. */
export interface ReplicaComparison {
  people: number;
  processes: number;
  digestRatio: number;
  commandRatio: number;
}

/**
 * Compares replicas with one process, in turns and on stores of their own: the machine is a fifth faster or slower from
 * one minute to the next, which is more than the difference.
 */
export async function compareReplicas(
  platform: PlatformProcess,
  people: number,
  settings: Omit<ScaleSettings, 'engine' | 'mornings' | 'commands'>,
): Promise<ReplicaComparison> {
  const scaleSettings: ScaleSettings = {
    ...settings,
    engine: 'postgres',
    mornings: WARM_UP_MORNINGS + ROUNDS,
    commands: COMMANDS_A_ROUND,
  };
  const scenes: Pair<ScaleScene> = {
    one: await startScaleScene(platform, { ...scaleSettings, processes: 1 }),
    replicas: await startScaleScene(platform, scaleSettings),
  };
  try {
    await inTurn(scenes, ({ slack }) => ask(slack, '28d'));
    const mornings: Pair<Awaited<ReturnType<typeof measureMorning>>>[] = [];
    for (const hour of hoursOf(scaleSettings))
      mornings.push(await inTurn(scenes, (scene) => measureMorning(scene, platform, { hour, ...settings }, 0)));
    const hourOfRest = SEVEN.getUTCHours() + scaleSettings.mornings + 1;
    const morningMs = median(mornings.map(({ replicas }) => replicas.ms));
    const rest = await inTurn(scenes, (scene) => measureRest(scene, hourOfRest, morningMs));
    await inTurn(scenes, (scene) => measureCommands(scene, COMMANDS_A_ROUND * scene.bots.length));
    const commands: Pair<number>[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      commands.push(await inTurn(scenes, (scene) => measureCommands(scene, COMMANDS_A_ROUND)));
    const digests = mornings.slice(WARM_UP_MORNINGS).map(({ one, replicas }) => ({
      one: one.cpuMs - (rest.one * one.ms) / morningMs,
      replicas: replicas.cpuMs - (rest.replicas * replicas.ms) / morningMs,
    }));
    return {
      people,
      processes: settings.processes,
      digestRatio: medianRatio(digests),
      commandRatio: medianRatio(commands),
    };
  } finally {
    await inTurn(scenes, (scene) => scene.stop());
  }
}

interface Pair<Value> {
  one: Value;
  replicas: Value;
}

const inTurn = async <Value>(scenes: Pair<ScaleScene>, run: (scene: ScaleScene) => Promise<Value>) => ({
  one: await run(scenes.one),
  replicas: await run(scenes.replicas),
});

const medianRatio = (pairs: readonly Pair<number>[]) =>
  Math.round(100 * median(pairs.map(({ one, replicas }) => replicas / one))) / 100;
