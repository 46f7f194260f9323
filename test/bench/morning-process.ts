/**
 * Measures mornings with digests of one version of the program, in a process of its own: an earlier version starts the
 * bot, the simulated platform and Slack by its own code and packages. Each message asks for the next morning.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type * as LargeOrganization from './large-organization.ts';
import type * as MeasureScale from './scale/measure-scale.ts';
import type * as Scene from './scale/scale-scene.ts';

const { ROOT, ...settings } = z
  .object({
    ROOT: z.string(),
    PEOPLE: z.coerce.number().int(),
    DIGESTS: z.coerce.number().int(),
    MORNINGS: z.coerce.number().int(),
  })
  .parse(process.env);
const load = <Module>(path: string): Promise<Module> => import(pathToFileURL(join(ROOT, 'test/bench', path)).href);

const { startPlatformProcess } = await load<typeof LargeOrganization>('large-organization.ts');
const { ask, measureMorning, measureRest } = await load<typeof MeasureScale>('scale/measure-scale.ts');
const { hoursOf, startScaleScene } = await load<typeof Scene>('scale/scale-scene.ts');

const platform = await startPlatformProcess(settings.PEOPLE);
platform.slowDown();
const scaleSettings: Scene.ScaleSettings = {
  engine: 'sqlite',
  processes: 1,
  digests: settings.DIGESTS,
  watches: 0,
  mornings: settings.MORNINGS,
  commands: 0,
};
const scene = await startScaleScene(platform, scaleSettings);
await ask(scene.slack, '28d');
const hours = hoursOf(scaleSettings);

/** The numbers that a message shows. Its words may differ between versions, and what is usual or expected is judged in another way. */
let messages: string[] = [];
scene.slack.events.listen((event) => {
  if (event.kind !== 'message') return;
  const judged = /[^.\n]*(?:on track|likely|estimated)[^\n]*|usual [\d.,–]+/g;
  const texts = textsIn(event.message.blocks ?? []).map((text) => text.replaceAll(judged, ''));
  messages.push((texts.join(' ').match(/\d[\d.,]*/g) ?? []).join(' '));
});

function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    name === 'text' && typeof one === 'string' ? [one] : textsIn(one),
  );
}

async function measureNext(): Promise<void> {
  const hour = hours.shift();
  if (hour === undefined) throw new Error('There is no other morning');
  messages = [];
  const { ms, cpuMs } = await measureMorning(scene, platform, { hour, digests: settings.DIGESTS }, 0);
  process.send?.({ cpuMs: cpuMs - (await measureRest(scene, hour, ms)), messages });
}

process.on('message', () => void measureNext());
process.on('disconnect', () => {
  void scene.stop().finally(() => {
    platform.stop();
    process.exit(0);
  });
});
process.send?.({ ready: true });
