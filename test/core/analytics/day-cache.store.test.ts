import type { KyselyPlugin } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDayCache, createDayReader } from '../../../src/core/analytics/reading/day-reader.ts';
import { DayParts, storeDays } from '../../../src/core/analytics/reading/day-store.ts';
import { createByteBudget } from '../../../src/core/base/work-queue.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

const DAYS = ['2026-02-20', '2026-02-21'];
const PERIOD = { first: '2026-02-20', last: '2026-02-21' };
const READ_AT = new Date('2026-03-02T07:00:00Z');
const log = createLogger('silent', []);

describe.each(availableEngines())('the days that were loaded last (%s)', (engine) => {
  async function startScene(resource: 'tokens' | 'users' = 'tokens') {
    const database = await createDatabase(engine);
    const store = await openStore(database.url);
    const clock = createMovableClock(READ_AT, { frozen: true });
    onTestFinished(async () => {
      clock.dispose();
      await store.close();
      await database.drop();
    });
    let loads = 0;
    const countLoads: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (node.kind === 'SelectQueryNode' && JSON.stringify(node).includes('"facts"')) loads += 1;
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    };
    const reader = createDayReader({
      db: store.db.withPlugin(countLoads),
      clock,
      log,
      source: {
        resource,
        mostDaysAtOnce: () => (resource === 'users' ? 1 : 7),
        fetch: () => Promise.resolve(new Map()),
        zeroDay: () => DayParts.of('{}'),
      },
      peopleSince: () => '2025-01-01',
      oneByOne: (work) => work(),
      budget: createByteBudget(1_000_000),
      cache: createDayCache(),
    });
    const put = (text: string, readAt = READ_AT) =>
      storeDays(
        { db: store.db, log },
        resource,
        DAYS.map((day) => ({ day, state: 'settled', readAt, parts: DayParts.of(`{"day":"${day}"}`, text) })),
      );
    const read = async (which: 'first' | 'all' = 'all') => {
      const before = loads;
      const taken: string[] = [];
      await reader.read(PERIOD, { maxAgeMs: 0, which }, async ({ parts }) => {
        for await (const part of parts) taken.push(part);
      });
      return { taken: taken.toSorted(), loads: loads - before };
    };
    return { db: store.db, put, read };
  }

  test.each(['tokens', 'users'] as const)('are not loaded again, %s', async (resource) => {
    const { put, read } = await startScene(resource);
    await put('[["u1",null,1]]');
    const first = await read();
    expect(first.taken).toHaveLength(4);
    expect(first.loads).toBeGreaterThan(0);
    expect(await read()).toEqual({ taken: first.taken, loads: 0 });
    expect(await read('first')).toEqual({ taken: first.taken.slice(2), loads: 0 });
  });

  test('do not offer more than was loaded', async () => {
    const { put, read } = await startScene();
    await put('[["u1",null,1]]');
    expect((await read('first')).taken).toHaveLength(2);
    expect((await read('all')).taken).toHaveLength(4);
  });

  test.each([0, 1])('are loaded again after another reading, %i ms later', async (laterMs) => {
    const { put, read } = await startScene();
    await put('[["u1",null,1]]');
    await read();
    await put('[["u1",null,2]]', new Date(READ_AT.getTime() + laterMs));
    expect((await read()).taken.slice(0, 2)).toEqual(['[["u1",null,2]]', '[["u1",null,2]]']);
  });

  test('are loaded again after an erasure, which changes what is stored', async () => {
    const { db, put, read } = await startScene();
    await put('[["u1","mia@acme.example",1]]');
    await read();
    const at = READ_AT.toISOString();
    const erasure = { id: 'e1', pseudonyms: '{}', identifiers: null, askedBy: 'U0ADA', askedAt: at, nextAt: at };
    await db
      .insertInto('erasures')
      .values({ ...erasure, state: 'asked', finishedAt: null })
      .execute();
    await db.updateTable('analyticsDays').set({ facts: '[["e1",null,1]]' }).where('part', '=', 1).execute();
    await db.updateTable('erasures').set({ state: 'done', finishedAt: at }).execute();
    const { taken } = await read();
    expect(taken.join()).not.toContain('mia@acme.example');
    expect(taken.slice(0, 2)).toEqual(['[["e1",null,1]]', '[["e1",null,1]]']);
  });

  test.each(['tokens', 'users'] as const)('do not include large ones, %s', async (resource) => {
    const { put, read } = await startScene(resource);
    await put(`["${'x'.repeat(60_000)}"]`);
    const first = await read();
    expect(first.loads).toBeGreaterThan(0);
    expect(await read()).toEqual(first);
  });
});
