import { expect, test } from 'vitest';
import type { MessageView } from '../../src/sandbox/slack/people/control-types.ts';
import { morningAfter, setCrashScene } from '../support/processes/crash-scene.ts';
import { availableEngines } from '../support/stores/databases.ts';

const FIRST_MORNING = new Date('2026-03-02T09:00:05Z');
const MORNINGS = 20;
const CHANNELS = ['agent-usage', 'general', 'platform'];

test.runIf(availableEngines().includes('postgres'))(
  `two replicas on one Postgres post the digests of ${MORNINGS} mornings to ${CHANNELS.length} channels, each exactly once, and both post some`,
  async () => {
    const scene = await setCrashScene('postgres', FIRST_MORNING);
    try {
      await scene.addDigests(CHANNELS.slice(1));
      const bots = await Promise.all([scene.startBot(), scene.startBot()]);
      const dates: string[] = [];
      for (let day = 0; day < MORNINGS; day += 1) {
        const since = scene.slack.mark();
        dates.push(morningAfter(FIRST_MORNING, day).toISOString().slice(0, 10));
        scene.moveTo(morningAfter(FIRST_MORNING, day), ...bots);
        for (const channel of CHANNELS) {
          const isDigest = ({ channelName, message: { threadTs } }: { channelName: string; message: MessageView }) =>
            channelName === channel && threadTs === null;
          await scene.slack.next('message', isDigest, { since, timeoutMs: 20_000 });
        }
      }
      // A second digest of the last morning would come when its lease ended.
      scene.moveTo(new Date(morningAfter(FIRST_MORNING, MORNINGS - 1).getTime() + 120_000), ...bots);
      await Promise.all(bots.map((bot) => bot.stop()));
      for (const channel of CHANNELS) {
        const digests = await scene.digestsIn(channel);
        expect([...digests.keys()].toSorted()).toEqual(dates);
        expect([...digests.values()].every((messages) => messages.length === 1)).toBe(true);
      }
      const isDigestDelivery = (one: { key: string; state: string }) =>
        one.state === 'sent' && /^digest:[^:]+:[^:]+$/.test(one.key);
      const taken = bots.map((bot) => bot.settled.filter((one) => isDigestDelivery(one)).length);
      expect(taken.every((count) => count > 0)).toBe(true);
      expect(taken.reduce((sum, count) => sum + count, 0)).toBe(MORNINGS * CHANNELS.length);
    } finally {
      await scene.close();
    }
  },
);
