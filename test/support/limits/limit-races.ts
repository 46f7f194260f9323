import type { Engine } from '../../../src/core/store/store.ts';
import { setCrashScene } from '../processes/crash-scene.ts';
import { ask, openReview, putsOf, reviewValues, untilQuiet } from './limits.ts';
import { nextView, textOfView } from '../slack/modals.ts';

const FIRST_MORNING = new Date('2026-03-02T09:00:05Z');
const ADMINS = Array.from({ length: 10 }, (_, index) => `admin${index}`);

/** The result of one round of ten admins who approve at the same moment. */
export interface RaceRound {
  puts: number;
  winners: number;
  told: number;
  value: number | undefined;
  asked: number;
}

/** Lets ten admins approve the same request at the same moment, round after round, against two replicas. */
export async function raceAdmins(engine: Engine, rounds: number): Promise<RaceRound[]> {
  const scene = await setCrashScene(engine, FIRST_MORNING, { LIMITS_CHANNEL: '#general' });
  const results: RaceRound[] = [];
  try {
    for (const handle of ADMINS) {
      await scene.slack.control.addPerson({ handle, name: handle, email: `${handle}@acme.example`, isAdmin: true });
      await scene.slack.control.join({ as: handle, channel: 'general' });
    }
    await Promise.all([scene.startBot(), scene.startBot()]);
    for (let round = 0; round < rounds; round += 1) results.push(await raceOnce(scene, 100 + round));
    return results;
  } finally {
    await scene.close();
  }
}

async function raceOnce(scene: Awaited<ReturnType<typeof setCrashScene>>, asked: number): Promise<RaceRound> {
  const { slack, platform } = scene;
  const before = putsOf(scene);
  await slack.control.close({ as: 'mia', all: true }).catch(() => undefined);
  const id = await ask(scene, 'mia', { amount: String(asked) });
  for (const as of ADMINS) {
    await slack.control.close({ as, all: true }).catch(() => undefined);
    await openReview(scene, as, id, 'general');
  }
  const shown = await Promise.all(
    ADMINS.map(async (as) => {
      const { viewer } = await slack.control.state({ as });
      const since = slack.mark();
      await slack.control.submit({ as, values: reviewValues() });
      return textOfView(await nextView(slack, since, /./, viewer.id));
    }),
  );
  await untilQuiet(scene);
  return {
    puts: putsOf(scene) - before,
    winners: shown.filter((text) => text.includes('confirmed by the platform')).length,
    told: shown.filter((text) => /<@\w+> already approved the request/.test(text)).length,
    value: platform.limits.get('mia.member@acme.example'),
    asked,
  };
}
