import { expect, test } from 'vitest';
import { morningAfter, setCrashScene } from '../support/crash-scene.ts';
import { availableEngines } from '../support/databases.ts';

const FIRST_MORNING = new Date('2026-03-02T09:00:05Z');
const MORNINGS = Number(process.env['MORNINGS'] ?? 200);
const LARGEST_SKEW_MS = 120_000;

test.runIf(availableEngines().includes('postgres'))(
  `two replicas whose clocks are up to two minutes apart post the digest of ${MORNINGS} mornings exactly once`,
  async () => {
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
      const digests = await scene.digestsIn('agent-usage');
      expect([...digests.keys()].toSorted()).toEqual(dates);
      expect([...digests.values()].filter((messages) => messages.length !== 1)).toEqual([]);
    } finally {
      await scene.close();
    }
  },
  1_200_000,
);
