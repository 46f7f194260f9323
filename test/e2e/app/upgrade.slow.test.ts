import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openingProgram, runProgram } from '../../support/processes/opening-program.ts';
import { morningAfter, setCrashScene } from '../../support/processes/crash-scene.ts';
import { createEmptyDatabase, readDatabase, usualEngine } from '../../support/stores/databases.ts';
import { makeReleasedStore, releasedVersions } from '../../support/stores/released-stores.ts';
import { sql } from 'kysely';

/** The dates at which the stores were left, after the digest. */
const MORNING = new Date('2026-03-02T09:00:05Z');

test.each(releasedVersions())(
  'a bot of this version that opens the store of %s sends the next digest once, and repeats no earlier one',
  async (version) => {
    const folder = mkdtempSync(join(tmpdir(), 'quartermaster-upgrade-'));
    const database = await createEmptyDatabase(usualEngine());
    await makeReleasedStore(version, database.url, join(folder, 'released.db'));
    const scene = await setCrashScene(usualEngine(), MORNING, { LIMITS_CHANNEL: '#agent-usage' }, { database });
    try {
      scene.moveTo(new Date(MORNING.getTime() + 30 * 60_000));
      const bot = await scene.startBot();
      const next = morningAfter(MORNING, 1);
      scene.moveTo(next, bot);
      await scene.untilDelivered('digest:settings:2026-03-03');
      await bot.stop();
      const digests = await scene.digestsIn('agent-usage');
      expect([...digests].map(([date, messages]) => [date, messages.length])).toEqual([['2026-03-03', 1]]);
      const db = readDatabase(scene.databaseUrl);
      const requests = await sql<{ state: string }>`select state from limit_requests order by state`.execute(db);
      await db.destroy();
      expect(requests.rows.map(({ state }) => state)).toEqual(['applied', 'pending']);
    } finally {
      await scene.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  120_000,
);

test('an older program that opens the store of a newer one reports it in one sentence, and changes nothing', async () => {
  const database = await createEmptyDatabase('sqlite');
  expect(await runProgram(openingProgram(database.url))).toBe('opened\n');
  const db = readDatabase(database.url);
  await sql`insert into kysely_migration (name, timestamp) values ('0009-newer', '2027-01-01')`.execute(db);
  await db.destroy();
  expect(await runProgram(openingProgram(database.url))).toBe(
    'The database was written by a newer version of Quartermaster (it holds 0009-newer): start that version, or restore a backup from before it.\n',
  );
  await database.drop();
});
