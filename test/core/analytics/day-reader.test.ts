import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { KyselyPlugin } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createCreditsBuilder } from '../../../src/core/analytics/columns/people-columns.ts';
import { createColumnsCache } from '../../../src/core/analytics/columns/columns-cache.ts';
import { createPeopleDictionary } from '../../../src/core/analytics/columns/people-dictionary.ts';
import { totalsAlone } from '../../../src/core/analytics/reading/day-store.ts';
import { createStoredPeople } from '../../../src/core/analytics/reading/stored-people.ts';
import {
  type DayReaderDeps,
  createDayReader,
  createTotalsCache,
} from '../../../src/core/analytics/reading/day-reader.ts';
import { createByteBudget } from '../../../src/core/base/work-queue.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { createDatabase } from '../../support/stores/databases.ts';

const DAY = '2026-02-28';
const PERIOD = { first: DAY, last: DAY };
const OPTIONS = { maxAgeMs: 60_000 };

/** A store, and readers of it. */
async function startScene() {
  const database = await createDatabase('sqlite');
  const store = await openStore(database.url);
  const clock = createMovableClock(new Date('2026-03-02T07:00:00Z'), { frozen: true });
  onTestFinished(async () => {
    clock.dispose();
    await store.close();
    await database.drop();
  });
  const startReader = (deps: Pick<DayReaderDeps, 'db' | 'source'>) =>
    createDayReader({
      clock,
      log: createLogger('silent', []),
      peopleSince: () => '2025-01-01',
      oneByOne: (work) => work(),
      budget: createByteBudget(1_000_000),
      cache: createTotalsCache(),
      storedPeople: createStoredPeople(store.db),
      dictionary: () => Promise.resolve(createPeopleDictionary()),
      ...deps,
    });
  return { store, startReader };
}

test('a day that arrives while another reader looks for it in the store is requested once', async () => {
  const { store, startReader } = await startScene();
  const arrived = Promise.withResolvers<void>();
  const firstIsDone = Promise.withResolvers<void>();
  let asked = 0;
  let looks = 0;
  /** The second reader learns only later that the day is not in the store. */
  const slowAnswers: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      looks += 1;
      if (looks === 2) {
        arrived.resolve();
        await firstIsDone.promise;
      }
      return result;
    },
  };
  const reader = startReader({
    db: store.db.withPlugin(slowAnswers),
    source: {
      resource: 'tools',
      mostDaysAtOnce: () => 7,
      fetch: async () => {
        asked += 1;
        await arrived.promise;
        return new Map([[DAY, totalsAlone('{}')]]);
      },
      zeroDay: () => totalsAlone('{}'),
    },
  });
  const taken: string[] = [];
  const read = () => reader.read(PERIOD, OPTIONS, ({ day }) => void taken.push(day));
  const first = read().then(() => firstIsDone.resolve());
  await Promise.all([first, read()]);
  expect(asked).toBe(1);
  expect(taken).toEqual([DAY, DAY]);
});

test('a reading that joined others holds no day that it has taken, while it waits for the next', async () => {
  const { store, startReader } = await startScene();
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const lastDay = Promise.withResolvers<void>();
  const reader = startReader({
    db: store.db,
    source: {
      resource: 'users',
      mostDaysAtOnce: () => 1,
      fetch: async ({ first }, people) => {
        begun.resolve();
        await (first === '2026-03-01' ? lastDay.promise : released.promise);
        const columns = createCreditsBuilder(people).finish(first);
        return new Map([[first, { ...totalsAlone('{}'), people: columns }]]);
      },
      zeroDay: () => totalsAlone('{}'),
    },
  });
  const period = { first: '2026-02-20', last: '2026-03-01' };
  const people = createColumnsCache(() => {}).use(0, '2026-03-02');
  const taken: WeakRef<object>[] = [];
  const read = () => reader.read(period, { maxAgeMs: 0, people }, (entry) => void taken.push(new WeakRef(entry)));
  const first = read();
  await begun.promise;
  const second = read();
  released.resolve();
  await expect.poll(() => taken.length).toBe(18);
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  await expect
    .poll(() => {
      collectGarbage();
      return taken.filter((entry) => entry.deref() !== undefined).length;
    })
    .toBe(0);
  lastDay.resolve();
  await Promise.all([first, second]);
});
