import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrateStore, restoreBackup, takeBackup } from '../../../src/programs/backup/backup.ts';
import { restoreByProgram } from '../../support/limits/limit-restores.ts';
import { morningAfter, setCrashScene, type CrashScene } from '../../support/processes/crash-scene.ts';
import { shareOf } from '../../support/property-runs.ts';
import { availableEngines, createEmptyDatabase, whereThereIsPostgres } from '../../support/stores/databases.ts';

const FIRST_MORNING = new Date('2026-03-02T09:00:05Z');
const HALF_AN_HOUR_MS = 30 * 60_000;
const keyOf = (morning: Date) => `digest:settings:${morning.toISOString().slice(0, 10)}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quartermaster-moved-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Half an hour later, and the next morning, by a new process. */
async function goOn(scene: CrashScene): Promise<number[]> {
  scene.moveTo(new Date(FIRST_MORNING.getTime() + HALF_AN_HOUR_MS));
  const bot = await scene.startBot();
  await scene.untilDelivered(keyOf(FIRST_MORNING));
  const next = morningAfter(FIRST_MORNING, 1);
  scene.moveTo(next, bot);
  await scene.untilDelivered(keyOf(next));
  await bot.stop();
  const digests = await scene.digestsIn('agent-usage');
  return [...digests.values()].map((messages) => messages.length);
}

/** The pair of two engines comes first, as the one of the daily rounds. */
const pairs = availableEngines()
  .flatMap((from) => availableEngines().map((to) => ({ from, to })))
  .toSorted((one, other) => Number(one.from === one.to) - Number(other.from === other.to));

describe.each(shareOf(pairs))('a backup of a running bot from $from, restored into $to', ({ from, to }) => {
  test('repeats no digest that was sent after it, and misses none', async () => {
    const scene = await setCrashScene(from, FIRST_MORNING);
    const other = await createEmptyDatabase(to);
    try {
      const bot = await scene.startBot();
      await takeBackup(scene.databaseUrl, join(folder, 'backup.db'));
      scene.moveTo(FIRST_MORNING, bot);
      await scene.untilDelivered(keyOf(FIRST_MORNING));
      await bot.stop();
      await restoreBackup(join(folder, 'backup.db'), other.url, scene.clock.now());
      scene.useDatabase(other.url);
      expect(await goOn(scene)).toEqual([1, 1]);
    } finally {
      await scene.close();
      await other.drop();
    }
  }, 120_000);

  test('does not repeat a limit that was sent minutes after it: an admin decides', async () => {
    const other = await createEmptyDatabase(to);
    const came = await restoreByProgram(from, other, join(folder, 'backup.db'));
    await other.drop();
    expect(came).toEqual({ state: 'unsure', putsUnasked: 0 });
  }, 120_000);
});

describe.each(whereThereIsPostgres())('a store that is moved from SQLite to %s', (engine) => {
  test('repeats no digest that it holds, and misses none', async () => {
    const scene = await setCrashScene('sqlite', FIRST_MORNING);
    const other = await createEmptyDatabase(engine);
    try {
      const bot = await scene.startBot();
      scene.moveTo(FIRST_MORNING, bot);
      await scene.untilDelivered(keyOf(FIRST_MORNING));
      await bot.stop();
      await migrateStore(scene.databaseUrl, other.url, new Date(FIRST_MORNING.getTime() + HALF_AN_HOUR_MS));
      scene.useDatabase(other.url);
      expect(await goOn(scene)).toEqual([1, 1]);
    } finally {
      await scene.close();
      await other.drop();
    }
  }, 120_000);
});
