import { describe, expect, test } from 'vitest';
import { morningAfter, setCrashScene } from '../support/processes/crash-scene.ts';
import { availableEngines } from '../support/stores/databases.ts';

const FIRST_MORNING = new Date('2026-03-02T09:00:05Z');
/** They wait for the rate limits of their channels, so four of them run side by side. */
const SCENES = 4;
const MORNINGS = Number(process.env['SKEWED_MORNINGS'] ?? 200) / SCENES;
const LARGEST_SKEW_MS = 120_000;

describe.runIf(availableEngines().includes('postgres')).concurrent(`on ${MORNINGS} mornings`, () => {
  test.each(Array.from({ length: SCENES }, (_, index) => index + 1))(
    'two replicas whose clocks are up to two minutes apart post each digest exactly once (scene %i)',
    async () => {
      const { dates, digests } = await postWithSkewedClocks();
      expect([...digests.keys()].toSorted()).toEqual(dates);
      expect([...digests.values()].filter((messages) => messages.length !== 1)).toEqual([]);
    },
    1_200_000,
  );
});

async function postWithSkewedClocks() {
  const scene = await setCrashScene('postgres', FIRST_MORNING, { TEST_STORE_TIME: 'own' });
  try {
    const bots = await Promise.all([scene.startBot(), scene.startBot()]);
    const dates: string[] = [];
    for (let day = 0; day < MORNINGS; day += 1) {
      const since = scene.slack.mark();
      const morning = morningAfter(FIRST_MORNING, day);
      dates.push(morning.toISOString().slice(0, 10));
      scene.moveTo(morning);
      for (const bot of bots) bot.moveTo(new Date(morning.getTime() + Math.random() * LARGEST_SKEW_MS));
      await scene.slack.next(
        'message',
        ({ channelName, message: { threadTs } }) => channelName === 'agent-usage' && threadTs === null,
        { since, timeoutMs: 20_000 },
      );
    }
    await scene.untilDelivered(`digest:settings:${dates.at(-1)}`);
    await Promise.all(bots.map((bot) => bot.stop()));
    return { dates, digests: await scene.digestsIn('agent-usage') };
  } finally {
    await scene.close();
  }
}
