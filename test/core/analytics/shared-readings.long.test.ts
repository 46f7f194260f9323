import type { KyselyPlugin } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { totalsAlone, totalsOf } from '../../../src/core/analytics/reading/day-store.ts';
import { createDayReader, createTotalsCache } from '../../../src/core/analytics/reading/day-reader.ts';
import { createStoredPeople } from '../../../src/core/analytics/reading/stored-people.ts';
import { createPeopleDictionary } from '../../../src/core/analytics/columns/people-dictionary.ts';
import { createByteBudget } from '../../../src/core/base/work-queue.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { daysOf, type Day, type Period } from '../../../src/core/base/time/calendar.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { overrideStoreTime } from '../../../src/core/store/lease.ts';
import { createDatabase, whereThereIsPostgres } from '../../support/stores/databases.ts';

const DAY = '2026-02-28';
const NOW = new Date('2026-03-02T07:00:00Z');

/** Two processes on one store. Each counts the days that it requests from the platform. */
async function startTwo(answer: (by: string, period: Period) => Promise<readonly Day[]>) {
  const database = await createDatabase('postgres');
  const clock = createMovableClock(NOW, { frozen: true });
  let storeTime = NOW;
  const requests: string[] = [];
  const stores: Awaited<ReturnType<typeof openStore>>[] = [];
  const waiting = Promise.withResolvers<void>();
  const noticeWaiting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (node.kind === 'SelectQueryNode' && JSON.stringify(node).includes('analytics_readings')) waiting.resolve();
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const open = async (name: string) => {
    const store = await openStore(database.url);
    overrideStoreTime(store.db, () => storeTime);
    stores.push(store);
    const reader = createDayReader({
      db: store.db.withPlugin(noticeWaiting),
      clock,
      log: createLogger('silent', []),
      source: {
        resource: 'tools',
        mostDaysAtOnce: () => 7,
        fetch: async (period) => {
          requests.push(...daysOf(period).map((day) => `${name} ${day}`));
          return new Map((await answer(name, period)).map((day) => [day, totalsAlone(`"${name}"`)]));
        },
        zeroDay: () => totalsAlone('{}'),
      },
      peopleSince: () => '2025-01-01',
      oneByOne: (work) => work(),
      budget: createByteBudget(1_000_000),
      cache: createTotalsCache(),
      storedPeople: createStoredPeople(store.db),
      dictionary: () => Promise.resolve(createPeopleDictionary()),
    });
    return async (period: Period = { first: DAY, last: DAY }) => {
      const taken: string[] = [];
      await reader.read(period, { maxAgeMs: 0 }, (entry) => {
        taken.push(`${entry.day} ${totalsOf(entry)}`);
      });
      return taken.toSorted();
    };
  };
  onTestFinished(async () => {
    clock.dispose();
    for (const store of stores) await store.close();
    await database.drop();
  });
  return {
    ada: await open('ada'),
    ben: await open('ben'),
    requests,
    /** Resolves when one of them waits for the other. */
    isWaiting: waiting.promise,
    moveStoreTime: (to: Date) => (storeTime = to),
  };
}

/** An answer that comes when the test says so, and the moment of its request. */
function heldAnswer() {
  const requested = Promise.withResolvers<void>();
  const released = Promise.withResolvers<readonly Day[]>();
  return {
    requested: requested.promise,
    release: released.resolve,
    fail: released.reject,
    answer: () => {
      requested.resolve();
      return released.promise;
    },
  };
}

describe.each(whereThereIsPostgres())('a day that another process is reading, on %s', () => {
  test.each([
    ['is not requested again', [DAY], [`${DAY} "ada"`]],
    ['that turns out to be unpublished is not requested again', [], []],
  ])('%s', async (_, published, expected) => {
    const held = heldAnswer();
    const { ada, ben, requests, isWaiting } = await startTwo(held.answer);
    const first = ada();
    await held.requested;
    const second = ben();
    await isWaiting;
    held.release(published);
    expect(await Promise.all([first, second])).toEqual([expected, expected]);
    expect(requests).toEqual([`ada ${DAY}`]);
  });

  test('is waited for, while the days beside it are requested', async () => {
    const held = heldAnswer();
    const { ada, ben, requests, isWaiting } = await startTwo((name, period) =>
      name === 'ada' ? held.answer() : Promise.resolve(daysOf(period)),
    );
    const first = ada();
    await held.requested;
    const second = ben({ first: '2026-02-27', last: '2026-03-01' });
    await isWaiting;
    await expect.poll(() => requests.length).toBe(3);
    held.release([DAY]);
    await first;
    expect(await second).toEqual(['2026-02-27 "ben"', `${DAY} "ada"`, '2026-03-01 "ben"']);
    expect(requests.toSorted()).toEqual([`ada ${DAY}`, 'ben 2026-02-27', 'ben 2026-03-01']);
  });

  test('is requested here, if the request failed there', async () => {
    const held = heldAnswer();
    const { ada, ben, requests, isWaiting } = await startTwo((name) =>
      name === 'ada' ? held.answer() : Promise.resolve([DAY]),
    );
    const first = ada().catch((error: unknown) => error);
    await held.requested;
    const second = ben();
    await isWaiting;
    held.fail(new Error('no answer'));
    expect(await first).toEqual(new Error('no answer'));
    expect(await second).toEqual([`${DAY} "ben"`]);
    expect(requests).toEqual([`ada ${DAY}`, `ben ${DAY}`]);
  });

  test('is requested here, if that process ended before it had the answer', async () => {
    const held = heldAnswer();
    const { ada, ben, requests, isWaiting, moveStoreTime } = await startTwo((name) =>
      name === 'ada' ? held.answer() : Promise.resolve([DAY]),
    );
    const first = ada();
    await held.requested;
    const second = ben();
    await isWaiting;
    moveStoreTime(new Date(NOW.getTime() + 11_000));
    expect(await second).toEqual([`${DAY} "ben"`]);
    held.release([DAY]);
    await first;
    expect(requests).toEqual([`ada ${DAY}`, `ben ${DAY}`]);
  });

  test('is requested again for a later question', async () => {
    const { ada, ben, requests } = await startTwo((_, period) => Promise.resolve(daysOf(period)));
    await ada();
    expect(await ben()).toEqual([`${DAY} "ben"`]);
    expect(requests).toEqual([`ada ${DAY}`, `ben ${DAY}`]);
  });
});
