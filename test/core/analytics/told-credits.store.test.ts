import { describe, expect, onTestFinished, test } from 'vitest';
import { createAnalyticsDays } from '../../../src/core/analytics/days.ts';
import { withLikelyTotals, type ToldDay } from '../../../src/core/analytics/reading/told-credits.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { dayOf, plusDays } from '../../../src/core/base/time/calendar.ts';
import { createPlatformClient } from '../../../src/core/platform/client.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Engine } from '../../../src/core/store/store.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { startPlatform } from '../../../src/sandbox/platform/platform.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

const START = new Date('2026-03-02T07:00:00Z');
const DAY_MS = 86_400_000;

/** Reads the days each morning, on a platform that tells only some of a day on the first two mornings after it. */
async function readMornings(engine: Engine, mornings: number, shares: readonly [number, number]) {
  const clock = createMovableClock(START, { frozen: true });
  const platform = await startPlatform({ clock, people: 25 });
  const database = await createDatabase(engine);
  const client = createPlatformClient({ ...platform, apiKey: platform.apiKeys.manager, clock });
  const stores = [await openStore(database.url), await openStore(database.url)];
  onTestFinished(async () => {
    await client.close();
    await platform.close();
    for (const store of stores) await store.close();
    await database.drop();
    clock.dispose();
  });
  const [days, replica] = stores.map(({ db }) =>
    createAnalyticsDays({ platform: client, db, clock, log: createLogger('silent', []), peopleDays: 375 }),
  );
  const read = async (reader = days) => {
    const today = dayOf(clock.now());
    const part = await reader?.dailyCredits({ first: plusDays(today, -30), last: plusDays(today, -1) });
    if (part?.kind !== 'read') throw new Error('It could not be read');
    return part.rows;
  };
  for (let morning = 0; morning < mornings; morning += 1) {
    clock.moveTo(new Date(START.getTime() + morning * DAY_MS));
    const today = dayOf(clock.now());
    platform.reviseDay(plusDays(today, -3), 1);
    platform.reviseDay(plusDays(today, -2), shares[1]);
    platform.reviseDay(plusDays(today, -1), shares[0]);
    await read();
  }
  return { read, readElsewhere: () => read(replica) };
}

describe.each(availableEngines())('the credits of fresh days on %s', (engine) => {
  test('rise by as much as fresh days did before, also for another process', async () => {
    const { read, readElsewhere } = await readMornings(engine, 14, [0.5, 0.8]);
    for (const rows of [await read(), await readElsewhere()]) {
      const [before, yesterday] = rows.slice(-2);
      expect((yesterday?.likely?.expected ?? 0) / (yesterday?.billable_tokens ?? 1)).toBeCloseTo(2, 1);
      expect((before?.likely?.expected ?? 0) / (before?.billable_tokens ?? 1)).toBeCloseTo(1.25, 1);
      expect(rows.slice(0, -2).filter(({ likely }) => likely)).toEqual([]);
    }
  });

  test('stay as they are if they never rose', async () => {
    const { read } = await readMornings(engine, 14, [1, 1]);
    for (const { likely, billable_tokens: told } of (await read()).slice(-2))
      expect(likely).toEqual({ expected: told, low: told, high: told });
  });

  test('are expected to rise only after enough days were seen to', async () => {
    const { read } = await readMornings(engine, 8, [0.5, 0.8]);
    expect((await read()).filter(({ likely }) => likely)).toEqual([]);
  });
});

describe('what a fresh day comes to', () => {
  const told = Array.from({ length: 20 }, (_, at): ToldDay => ({
    day: plusDays('2026-03-01', -at - 3),
    firstDay: 400 + 10 * at,
    secondDay: null,
    settled: 1_000,
  }));
  const likelyOf = (rows: readonly ToldDay[], credits = 300, day = '2026-03-01') =>
    withLikelyTotals([{ date: day, billable_tokens: credits }], rows, '2026-03-02')[0]?.likely;

  test('is between what most of the days before suggest', () => {
    const likely = likelyOf(told);
    expect(likely?.expected).toBeCloseTo(300 / 0.495);
    expect(likely?.low).toBeCloseTo(300 / 0.571);
    expect(likely?.high).toBeCloseTo(300 / 0.419);
  });

  test('is never less than what is told now', () => {
    const own: ToldDay = { day: '2026-03-01', firstDay: 300, secondDay: null, settled: null };
    expect(likelyOf([...told, own], 900)).toEqual({ expected: 900, low: 900, high: 900 });
  });

  test('is unknown for a settled day, for another age, and after days without use', () => {
    expect(likelyOf(told, 300, '2026-02-20')).toBeUndefined();
    expect(likelyOf(told, 300, '2026-02-28')).toBeUndefined();
    expect(likelyOf(told.map((each) => ({ ...each, settled: 0 })))).toBeUndefined();
  });
});
