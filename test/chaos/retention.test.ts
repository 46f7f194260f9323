import { describe, expect, test } from 'vitest';
import { plusDays } from '../../src/base/time/calendar.ts';
import type { RetentionTables } from '../../src/retention/table.ts';
import { openStore } from '../../src/store/database.ts';
import { setCrashScene, morningAfter } from '../support/processes/crash-scene.ts';
import { availableEngines, readDatabase } from '../support/stores/databases.ts';

const FIRST = new Date('2026-06-01T09:00:05Z');
const OLD_DAYS = 12;
const PARTS = 4;
const MORNINGS = 20;

/** Days with rows of people that are long past their time, and totals beside them. */
async function fillOldDays(url: string): Promise<void> {
  const store = await openStore(url);
  const at = '2026-02-01T00:00:00.000Z';
  const rows = ['tokens', 'users'].flatMap((resource) =>
    Array.from({ length: OLD_DAYS * PARTS }, (_, index) => ({
      resource: resource === 'tokens' ? ('tokens' as const) : ('users' as const),
      day: plusDays('2026-01-20', Math.floor(index / PARTS)),
      part: index % PARTS,
      state: 'settled' as const,
      read_at: at,
      changed_at: at,
      fingerprint: 'x',
      facts: `${resource} ${index}`,
    })),
  );
  await store.db.insertInto('analytics_days').values(rows).execute();
  await store.close();
}

/** What is left of the old days, and whether today's run has ended. */
async function stateOf(url: string) {
  const db = readDatabase(url);
  const rows = await db
    .selectFrom('analytics_days')
    .select(['resource', 'day', 'part', 'state', 'facts'])
    .where('day', '<', '2026-02-15')
    .orderBy('day')
    .orderBy('part')
    .execute();
  const [run] = await db.withTables<RetentionTables>().selectFrom('retention_runs').select('finished_on').execute();
  await db.destroy();
  const days = Map.groupBy(rows, ({ resource, day }) => `${resource} ${day}`);
  return { rows, days, finishedOn: run?.finished_on };
}

describe.each(availableEngines())('on %s', (engine) => {
  test('a bot that is killed after each transaction of a roll-up leaves no day by half, and the next one goes on', async () => {
    const scene = await setCrashScene(engine, FIRST, { RETENTION_DAYS: 'people=40,deliveries=14,audit=90' });
    await fillOldDays(scene.databaseUrl);
    const before = await stateOf(scene.databaseUrl);
    let kills = 0;
    for (; (await stateOf(scene.databaseUrl)).finishedOn !== '2026-05-31'; kills += 1) {
      const bot = await scene.startProcess();
      bot.dieAt('retention:after_batch');
      // The lease of the one before is over by then.
      scene.moveTo(new Date(scene.clock.now().getTime() + 61_000), bot);
      const ending = await Promise.race([
        bot.ended,
        bot.untilLogged('What was kept long enough was deleted').then(() => 'finished'),
      ]);
      const { days } = await stateOf(scene.databaseUrl);
      for (const parts of days.values())
        expect([PARTS, 1]).toContain(parts.every(({ state }) => state === 'settled') ? parts.length : 1);
      if (ending === 'finished') await bot.stop();
    }
    const after = await stateOf(scene.databaseUrl);
    const totals = before.rows.filter(({ resource, part }) => resource === 'tokens' && part === 0);
    expect(after.rows).toEqual(totals.map((row) => ({ ...row, state: 'rolled_up' })));
    // One for each day of each kind, but for what a start did before it could be told to die.
    expect(kills).toBeGreaterThan(OLD_DAYS);
    await scene.close();
  });

  test(`over ${MORNINGS} mornings with deliveries that are deleted under kills, each digest stands in the channel once`, async () => {
    const scene = await setCrashScene(engine, FIRST, { RETENTION_DAYS: 'people=40,deliveries=14,audit=90' });
    const dates: string[] = [];
    let bot = await scene.startProcess();
    for (let day = 0; day < MORNINGS; day += 1) {
      const morning = morningAfter(FIRST, day);
      const date = morning.toISOString().slice(0, 10);
      dates.push(date);
      scene.moveTo(morning, bot);
      await scene.untilDelivered(`digest:settings:${date}`);
      if (day < 14) continue;
      // It dies while it deletes, or has deleted already.
      bot.dieAt('retention:after_batch');
      scene.moveTo(morningAfter(morning, 0.6), bot);
      await Promise.race([bot.ended, bot.untilLogged(`"rows":`)]);
      await bot.stop();
      bot = await scene.startProcess();
    }
    scene.moveTo(morningAfter(FIRST, MORNINGS - 0.3), bot);
    const db = readDatabase(scene.databaseUrl);
    await expect
      .poll(async () => (await db.selectFrom('forgotten_deliveries').selectAll().execute()).length, { timeout: 20_000 })
      .toBeGreaterThan(0);
    await db.destroy();
    const digests = await scene.digestsIn('agent-usage');
    expect([...digests.keys()].filter((date) => dates.includes(date)).toSorted()).toEqual(dates);
    expect([...digests.values()].map((messages) => messages.length)).toEqual([...digests.keys()].map(() => 1));
    await scene.close();
  });
});
