import { describe, expect, test } from 'vitest';
import { takeBackup } from '../support/stores/backups.ts';
import { morningAfter, setCrashScene } from '../support/processes/crash-scene.ts';
import { availableEngines } from '../support/stores/databases.ts';

const FIRST_MORNING = new Date('2026-03-02T09:00:05Z');
const MORNINGS = Number(process.env['RESTORED_MORNINGS'] ?? 10);
const HALF_AN_HOUR_MS = 30 * 60_000;

describe.concurrent(`on ${MORNINGS} mornings`, () => {
  test.each(availableEngines())(
    'a backup of the evening that is restored in mid-morning repeats no digest, on %s',
    async (engine) => {
      const scene = await setCrashScene(engine, FIRST_MORNING);
      try {
        for (let day = 0; day < MORNINGS; day += 1) {
          const morning = morningAfter(FIRST_MORNING, day);
          const key = `digest:settings:${morning.toISOString().slice(0, 10)}`;
          const evening = await scene.startBot();
          await evening.stop();
          const backup = await takeBackup(scene.databaseUrl);
          const bot = await scene.startBot();
          scene.moveTo(morning, bot);
          await scene.untilDelivered(key);
          await bot.stop();
          await backup.restore();
          await backup.drop();
          scene.moveTo(new Date(morning.getTime() + HALF_AN_HOUR_MS));
          const later = await scene.startBot();
          await scene.untilDelivered(key);
          await later.stop();
        }
        const digests = await scene.digestsIn('agent-usage');
        expect([...digests.values()].map((messages) => messages.length)).toEqual(
          Array.from({ length: MORNINGS }, () => 1),
        );
      } finally {
        await scene.close();
      }
    },
    600_000,
  );
});
