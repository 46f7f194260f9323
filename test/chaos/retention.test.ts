import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { batchesOf } from '../../src/core/base/time/turns.ts';
import { plusDays } from '../../src/core/base/time/calendar.ts';
import type { RetentionTables } from '../../src/features/retention/table.ts';
import { openStore } from '../../src/core/store/database.ts';
import { setCrashScene, morningAfter } from '../support/processes/crash-scene.ts';
import { availableEngines, readDatabase } from '../support/stores/databases.ts';

const FIRST = new Date('2026-06-01T09:00:05Z');
const OLD_DAYS = 12;
/** A run of these takes longer than a kill waits for. */
const MANY_DAYS = 300;
const PARTS = 4;
const MORNINGS = 20;
const RANDOM_KILLS = Number(process.env['RETENTION_KILLS'] ?? 12);
/** A run of all days takes about as long. */
const LONGEST_RUN_MS = 150;

/** Days with rows of people that are long past their time, and totals beside them. */
async function fillOldDays(url: string, first: string, days: number): Promise<void> {
  const store = await openStore(url);
  const at = '2026-02-01T00:00:00.000Z';
  const rows = ['tokens', 'users'].flatMap((resource) =>
    Array.from({ length: days * PARTS }, (_, index) => ({
      resource: resource === 'tokens' ? ('tokens' as const) : ('users' as const),
      day: plusDays(first, Math.floor(index / PARTS)),
      part: index % PARTS,
      state: 'settled' as const,
      readAt: at,
      changedAt: at,
      fingerprint: 'x',
      facts: `${resource} ${index}`,
    })),
  );
  // The number of values that an engine binds at once is limited.
  for (const some of batchesOf(rows, { maxItems: 500 }))
    await store.db.insertInto('analyticsDays').values(some).execute();
  await store.close();
}

/** The rest of the old days, and whether today's run has ended. */
async function stateOf(url: string) {
  const db = readDatabase(url);
  const rows = await db
    .selectFrom('analyticsDays')
    .select(['resource', 'day', 'part', 'state', 'facts'])
    .where('day', '<', '2026-02-15')
    .orderBy('day')
    .orderBy('part')
    .execute();
  const [run] = await db.withTables<RetentionTables>().selectFrom('retentionRuns').select('finishedOn').execute();
  await db.destroy();
  const days = Map.groupBy(rows, ({ resource, day }) => `${resource} ${day}`);
  return { rows, days, finishedOn: run?.finishedOn };
}

/** A day has all of its rows, or its totals alone. */
function expectWholeDays({ days }: Awaited<ReturnType<typeof stateOf>>): void {
  for (const parts of days.values())
    expect([PARTS, 1]).toContain(parts.every(({ state }) => state === 'settled') ? parts.length : 1);
}

describe.each(availableEngines())('on %s', (engine) => {
  test('a bot that is killed after each transaction of a roll-up leaves no day half done, and the next bot resumes', async () => {
    const scene = await setCrashScene(engine, FIRST, { RETENTION_DAYS: 'people=40,deliveries=14,audit=90' });
    await fillOldDays(scene.databaseUrl, '2026-01-20', OLD_DAYS);
    const before = await stateOf(scene.databaseUrl);
    let kills = 0;
    for (; (await stateOf(scene.databaseUrl)).finishedOn !== '2026-05-31'; kills += 1) {
      const bot = await scene.startBot();
      bot.dieAt('retention:after_batch');
      // The lease of the previous one has ended by then.
      scene.moveTo(new Date(scene.clock.now().getTime() + 61_000), bot);
      const ending = await Promise.race([
        bot.ended,
        bot.untilLogged('Deleted data past its retention').then(() => 'finished'),
      ]);
      expectWholeDays(await stateOf(scene.databaseUrl));
      if (ending === 'finished') await bot.stop();
    }
    const after = await stateOf(scene.databaseUrl);
    const totals = before.rows.filter(({ resource, part }) => resource === 'tokens' && part === 0);
    expect(after.rows).toEqual(totals.map((row) => ({ ...row, state: 'rolled_up' })));
    // One kill for each day of each kind, except for the work of a start before the kill could be ordered.
    expect(kills).toBeGreaterThan(OLD_DAYS);
    await scene.close();
  });

  test(`a bot that is killed at ${RANDOM_KILLS} random instants of it leaves no day half done, and the next bot finishes`, async () => {
    const scene = await setCrashScene(engine, FIRST, { RETENTION_DAYS: 'people=40,deliveries=14,audit=90' });
    await fillOldDays(scene.databaseUrl, '2025-01-01', MANY_DAYS);
    let duringRun = 0;
    for (let kills = 0; kills < RANDOM_KILLS; kills += 1) {
      const bot = await scene.startBot();
      scene.moveTo(new Date(scene.clock.now().getTime() + 61_000), bot);
      await delay(Math.random() * LONGEST_RUN_MS);
      bot.process.kill('SIGKILL');
      await bot.ended;
      const state = await stateOf(scene.databaseUrl);
      expectWholeDays(state);
      if (state.finishedOn === '2026-05-31') break;
      duringRun += 1;
    }
    expect(duringRun).toBeGreaterThan(0);
    const last = await scene.startBot();
    // The turn of a killed bot may last some minutes more.
    const minuteLater = async () => {
      scene.moveTo(new Date(scene.clock.now().getTime() + 61_000), last);
      return (await stateOf(scene.databaseUrl)).finishedOn;
    };
    await expect.poll(minuteLater, { timeout: 120_000, interval: 2_000 }).toBe('2026-05-31');
    const { rows } = await stateOf(scene.databaseUrl);
    expect(rows.map(({ resource, part, state }) => [resource, part, state])).toEqual(
      Array.from({ length: MANY_DAYS }, () => ['tokens', 0, 'rolled_up']),
    );
    await scene.close();
  });

  test(`over ${MORNINGS} mornings with deliveries that are deleted under kills, each digest appears in the channel once`, async () => {
    const scene = await setCrashScene(engine, FIRST, { RETENTION_DAYS: 'people=40,deliveries=14,audit=90' });
    const dates: string[] = [];
    let bot = await scene.startBot();
    for (let day = 0; day < MORNINGS; day += 1) {
      const morning = morningAfter(FIRST, day);
      const date = morning.toISOString().slice(0, 10);
      dates.push(date);
      scene.moveTo(morning, bot);
      await scene.untilDelivered(`digest:settings:${date}`);
      if (day < 14) continue;
      // It dies during the deletion or after it.
      bot.dieAt('retention:after_batch');
      scene.moveTo(morningAfter(morning, 0.6), bot);
      await Promise.race([bot.ended, bot.untilLogged(`"rows":`)]);
      await bot.stop();
      bot = await scene.startBot();
    }
    scene.moveTo(morningAfter(FIRST, MORNINGS - 0.3), bot);
    const db = readDatabase(scene.databaseUrl);
    await expect
      .poll(async () => (await db.selectFrom('forgottenDeliveries').selectAll().execute()).length, { timeout: 20_000 })
      .toBeGreaterThan(0);
    await db.destroy();
    const digests = await scene.digestsIn('agent-usage');
    expect([...digests.keys()].filter((date) => dates.includes(date)).toSorted()).toEqual(dates);
    expect([...digests.values()].map((messages) => messages.length)).toEqual([...digests.keys()].map(() => 1));
    await scene.close();
  });
});
