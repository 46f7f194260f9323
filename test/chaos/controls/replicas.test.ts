import { expect, test } from 'vitest';
import { setControlsScene } from '../../support/controls-kills.ts';
import { availableEngines } from '../../support/stores/databases.ts';

const INTERVAL_MS = 5_000;
const INTERVALS = 6;
/** Readings are spread by a tenth. */
const SPREAD = 1.25;

test.runIf(availableEngines().includes('postgres'))(
  'of two replicas only one reads the history at a time, and the other takes over within two intervals after kill -9',
  async () => {
    const scene = await setControlsScene('postgres');
    const calls = () => scene.platform.requests.filter(({ path }) => path.includes('enterprise-controls')).length;
    try {
      const bots = await Promise.all([scene.startBot(), scene.startBot()]);
      await scene.untilAnnounced(11);
      const before = calls();
      await new Promise((resolve) => setTimeout(resolve, INTERVALS * INTERVAL_MS));
      expect(calls() - before).toBeLessThanOrEqual(Math.ceil(INTERVALS * SPREAD));
      // The next reader dies in the middle of its reading, and holds the lease.
      for (const bot of bots) bot.dieAt('controls:after_page');
      await Promise.race(bots.map(({ ended }) => ended));
      for (const bot of bots) bot.liveOn();
      const diedAt = performance.now();
      const revision = scene.change();
      await scene.untilAnnounced(revision);
      // One second more for the message itself.
      expect(performance.now() - diedAt).toBeLessThan(2 * INTERVAL_MS * SPREAD + 1_000);
      expect(await scene.told()).toEqual([revision]);
    } finally {
      await scene.close();
    }
  },
);
