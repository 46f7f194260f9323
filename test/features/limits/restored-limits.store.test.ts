import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../../src/core/base/log.ts';
import { createCapabilities } from '../../../src/core/platform/capabilities/capabilities.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { withLimits } from '../../../src/features/limits/core/limit-tables.ts';
import { announceLimitChanges } from '../../../src/features/limits/drift/limit-changes.ts';
import { restoreBackup, takeBackup } from '../../../src/programs/backup/backup.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { limitParts, PLACE } from '../../support/limits/limit-model.ts';
import { availableEngines, createDatabase, createEmptyDatabase } from '../../support/stores/databases.ts';

const MIA = 'mia@acme.example';
const HOUR_MS = 3_600_000;

describe.each(availableEngines())('limits in force on %s', (engine) => {
  test('that changed before a backup was restored are not announced again, and later changes are', async () => {
    const clock = createMovableClock(new Date('2026-03-02T09:00:00Z'), { frozen: true });
    const folder = mkdtempSync(join(tmpdir(), 'quartermaster-restored-'));
    const [database, restored] = [await createDatabase(engine), await createEmptyDatabase(engine)];
    onTestFinished(async () => {
      await Promise.all([database.drop(), restored.drop()]);
      rmSync(folder, { recursive: true, force: true });
    });
    let shown = 5_000_000;
    /** A start of the bot: each reading is an hour after the one before. */
    const run = async (url: string, values: readonly number[]): Promise<string[]> => {
      const store = await openStore(url, undefined, () => clock.now());
      try {
        const read = () => Promise.resolve({ everybody: 20_000_000, own: new Map([[MIA, shown]]) });
        const log = createLogger('silent', []);
        const capabilities = createCapabilities({
          platform: { shownLimits: { read }, roster: { read: () => Promise.resolve([]) } },
          db: store.db,
          clock,
          log,
        });
        const deps = limitParts(withLimits(store.db), clock, {
          platform: { limits: { setUserLimits: () => Promise.reject(new Error('nothing is set here')) } },
          capabilities,
        });
        // A message that waited in the backup is written from what is known now, as the job does each minute.
        await announceLimitChanges(deps, () => Promise.resolve(PLACE));
        for (const value of values) {
          shown = value;
          clock.moveTo(new Date(clock.now().getTime() + HOUR_MS));
          await capabilities.readLimits(0);
          await announceLimitChanges(deps, () => Promise.resolve(PLACE));
        }
        const rows = await store.db
          .selectFrom('deliveries')
          .select(['payload', 'createdAt'])
          .orderBy('createdAt')
          .execute();
        return rows.map(({ payload }) => payload);
      } finally {
        await store.close();
      }
    };
    await run(database.url, [5_000_000]);
    const backup = join(folder, 'backup.db');
    await takeBackup(database.url, backup);
    expect(await run(database.url, [9_000_000])).toHaveLength(1);
    clock.moveTo(new Date(clock.now().getTime() + HOUR_MS));
    await restoreBackup(backup, restored.url, clock.now());
    expect(await run(restored.url, [9_000_000])).toEqual([]);
    const [later, ...others] = await run(restored.url, [12_000_000]);
    expect(others).toEqual([]);
    expect(later).toContain('own 12000000');
  });
});
