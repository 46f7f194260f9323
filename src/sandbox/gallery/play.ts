import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { addColleagues } from './colleagues.ts';
import { computerScenes } from './scenes/computers.ts';
import { controlScenes } from './scenes/controls.ts';
import { digestScenes } from './scenes/digests.ts';
import { homeScenes } from './scenes/home.ts';
import { limitScenes } from './scenes/limits.ts';
import { statusScenes } from './scenes/status.ts';
import { usageScenes } from './scenes/usage.ts';
import { SCENE_PARTS, type SceneOptions } from './separate-scenes.ts';
import type { Gallery, Shot } from '../page/shot.ts';
import { openStage } from './stage.ts';

/** A Tuesday morning in Berlin, before the digest. */
const START = new Date('2026-11-24T06:30:00Z');
const SCENES = [homeScenes, usageScenes, limitScenes, computerScenes, controlScenes, digestScenes, statusScenes];

/**
 * Plays every scene with the real bot against the sandbox, and records what people see. Those with a stage of their own
 * are played in threads beside the others, because each scene also waits.
 *
 * @param onShot called with each shot in their order, for a line of progress
 * @param commandPrefix the prefix of each command in this workspace
 * @throws if a screen of the gallery was not shown
 */
export async function playGallery(onShot: (shot: Shot) => void = () => {}, commandPrefix = ''): Promise<Gallery> {
  const shots: Shot[] = [];
  const keep = (shot: Shot) => {
    shots.push(shot);
    onShot(shot);
  };
  const threads = SCENE_PARTS.map((part) => playInThread({ part, startAt: START, commandPrefix }));
  const stage = await openStage({ people: 60, seed: 1, startAt: START, commandPrefix });
  try {
    await addColleagues(stage);
    for (const scenes of SCENES) for await (const shot of scenes(stage)) keep(shot);
    const snapshot = await stage.slack.control.state({ as: 'ada' });
    for (const thread of threads) for (const shot of await thread.shots) keep(shot);
    return {
      shots,
      snapshot: { ...snapshot, channels: snapshot.channels.map((channel) => ({ ...channel, messages: [] })) },
    };
  } finally {
    await Promise.all([stage.stop(), ...threads.map((thread) => thread.stop())]);
  }
}

function playInThread(options: SceneOptions) {
  const worker = new Worker(new URL('./separate-scenes-thread.ts', import.meta.url), { workerData: options });
  const shots: Shot[] = [];
  worker.on('message', (shot: Shot) => shots.push(shot));
  const ended = once(worker, 'exit').then(() => shots);
  // A failure is thrown where the shots are awaited, which may be much later.
  ended.catch(() => {});
  return { shots: ended, stop: () => worker.terminate() };
}
