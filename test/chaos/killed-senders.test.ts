import { describe, expect, test } from 'vitest';
import type { Bot } from '../support/processes/bot-processes.ts';
import { morningAfter, setCrashScene, type CrashScene } from '../support/processes/crash-scene.ts';
import { availableEngines } from '../support/stores/databases.ts';

const FIRST_MORNING = new Date('2026-03-02T09:00:05Z');
/** Each of them waits a minute for what the killed process had claimed, so they run side by side. */
const SCENES = 3;
const MORNINGS = Number(process.env['KILLED_MORNINGS'] ?? 2);
const CHANNELS = Array.from({ length: 40 }, (_, index) => `team-${index}`);
/** The lease of a message, the minute after which another process plans, and time for the digests themselves. */
const LASTS_AT_MOST_MS = 120_000;

describe.runIf(availableEngines().includes('postgres')).concurrent('with the time of the store', () => {
  test.each(Array.from({ length: SCENES }, (_, index) => index + 1))(
    'of two replicas the one that sends a morning is killed in the middle of it, and the other one sends the rest: each digest once (scene %i)',
    async (scene) => {
      const { dates, digests, sentByKilled } = await killSenders(scene);
      for (const ofChannel of digests) {
        expect([...ofChannel.keys()].toSorted()).toEqual(dates);
        expect([...ofChannel.values()].filter((messages) => messages.length !== 1)).toEqual([]);
      }
      for (const count of sentByKilled) {
        expect(count).toBeGreaterThan(0);
        expect(count).toBeLessThan(CHANNELS.length);
      }
    },
    600_000,
  );
});

/** @param scene decides after how many digests the sender is killed */
async function killSenders(scene: number) {
  const crashScene = await setCrashScene('postgres', FIRST_MORNING, { TEST_STORE_TIME: 'own' });
  try {
    for (const name of CHANNELS) await crashScene.slack.control.addChannel({ name, members: ['ada', 'morgan'] });
    await crashScene.addDigests(CHANNELS);
    let bots = [await crashScene.startBot(), await crashScene.startBot()];
    const dates: string[] = [];
    const sentByKilled: number[] = [];
    for (let day = 0; day < MORNINGS; day += 1) {
      const morning = morningAfter(FIRST_MORNING, day);
      dates.push(morning.toISOString().slice(0, 10));
      const posted = watchDigests(crashScene);
      const sentBy = ({ settled }: Bot) =>
        settled.filter(({ key }) => key.startsWith('digest:team-') && key.endsWith(`:${dates.at(-1)}`)).length;
      crashScene.moveTo(morning, ...bots);
      await posted.until(1 + scene * (day + 1));
      // A process reports a digest a moment after it appears.
      await expect.poll(() => bots.some((bot) => sentBy(bot) > 0), { interval: 5 }).toBe(true);
      const killed = bots.find((bot) => sentBy(bot) > 0);
      if (!killed) throw new Error('No process sent a digest');
      killed.process.kill('SIGKILL');
      await killed.ended;
      sentByKilled.push(sentBy(killed));
      await posted.until(CHANNELS.length);
      bots = [...bots.filter((bot) => bot !== killed), await crashScene.startBot()];
    }
    const digests = await Promise.all(CHANNELS.map((name) => crashScene.digestsIn(name)));
    return { dates, digests, sentByKilled };
  } finally {
    await crashScene.close();
  }
}

/** Counts the channels that get a digest from now on. */
function watchDigests({ slack }: CrashScene) {
  const since = slack.mark();
  const channels = new Set<string>();
  return {
    until: async (count: number): Promise<void> => {
      while (CHANNELS.filter((name) => channels.has(name)).length < count) {
        const { channelName } = await slack.next(
          'message',
          (event) => event.message.threadTs === null && !channels.has(event.channelName),
          { since, timeoutMs: LASTS_AT_MOST_MS },
        );
        channels.add(channelName);
      }
    },
  };
}
