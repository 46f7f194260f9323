import { CompiledQuery } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  DayParts,
  type NewDay,
  changesSince,
  eachPart,
  loadParts,
  readStoredDays,
  storeDays,
} from '../../../src/core/analytics/reading/day-store.ts';
import { daysOf } from '../../../src/core/base/time/calendar.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Engine, Store } from '../../../src/core/store/store.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

async function openEmptyStore(engine: Engine): Promise<Store> {
  const database = await createDatabase(engine);
  const store = await openStore(database.url);
  onTestFinished(async () => {
    await store.close();
    await database.drop();
  });
  return store;
}

async function collect(parts: AsyncIterable<string>): Promise<string[]> {
  const collected: string[] = [];
  for await (const part of parts) collected.push(part);
  return collected;
}

const PERIOD = { first: '2026-01-01', last: '2026-02-09' };
// On Postgres, two replicas that write in different orders wait for each other in about one of a hundred rounds.
const ROUNDS = { sqlite: 5, postgres: 100 };

describe.each(availableEngines())('stored days on %s', (engine) => {
  test('are complete when two replicas write the same ones at once, in opposite orders', async () => {
    const rounds = ROUNDS[engine];
    const database = await createDatabase(engine);
    const stores = [await openStore(database.url), await openStore(database.url)] as const;
    onTestFinished(async () => {
      for (const store of stores) await store.close();
      await database.drop();
    });
    const lines: string[] = [];
    const log = createLogger('warn', [], (line) => void lines.push(line));
    const readIn = (round: number): NewDay[] =>
      daysOf(PERIOD).map((day) => ({
        day,
        state: 'fresh',
        readAt: new Date(Date.UTC(2026, 2, 2, 7, 0, round)),
        parts: DayParts.of(`"${day} ${round}"`),
      }));
    for (let round = 0; round < rounds; round += 1) {
      const days = readIn(round);
      await Promise.all(
        [days, days.toReversed()].map((ordered, at) =>
          storeDays({ db: (at === 0 ? stores[0] : stores[1]).db, log }, 'tools', ordered),
        ),
      );
    }
    expect(lines).toEqual([]);
    const kept = [...(await readStoredDays(stores[0].db, 'tools', PERIOD)).keys()].toSorted();
    expect(kept).toEqual(daysOf(PERIOD));
    const parts = await loadParts(stores[1].db, 'tools', kept, 'all');
    expect([...parts.values()].flat()).toEqual(readIn(rounds - 1).flatMap(({ parts }) => [...parts]));
  });

  test('have the text of each part, also of a day that was compressed in memory', async () => {
    const store = await openEmptyStore(engine);
    const parts = DayParts.of('{}');
    for (let part = 0; part < 30; part += 1) parts.push(JSON.stringify([[`u${part}`, '“é” '.repeat(20_000), part]]));
    const day: NewDay = { day: '2026-01-05', state: 'settled', readAt: new Date('2026-01-07T07:00:00Z'), parts };
    const stored = await storeDays({ db: store.db, log: createLogger('silent', []) }, 'users', [day]);
    expect([...stored]).toEqual([day.day]);
    expect((await loadParts(store.db, 'users', [day.day], 'all')).get(day.day)).toEqual([...parts]);
  });

  test('that have not changed keep their rows, and the time of their latest reading', async () => {
    const { db } = await openEmptyStore(engine);
    const day = '2026-01-05';
    const read = (state: 'fresh' | 'settled', at: string) =>
      storeDays({ db, log: createLogger('silent', []) }, 'tools', [
        { day, state, readAt: new Date(at), parts: DayParts.of('{"tool_calls":1}') },
      ]);
    const rowOf = () => db.selectFrom('analyticsDays').select(['state', 'readAt', 'changedAt', 'facts']).execute();
    const [first, second, third] = ['2026-01-06T07:00:00.000Z', '2026-01-06T08:00:00.000Z', '2026-01-08T07:00:00.000Z'];
    await read('fresh', first);
    await db.updateTable('analyticsDays').set({ facts: 'the row of the first reading' }).execute();
    const kept = { state: 'fresh', changedAt: first, facts: 'the row of the first reading' };
    expect([...(await read('fresh', second))]).toEqual([day]);
    expect(await rowOf()).toEqual([{ ...kept, readAt: second }]);
    expect([...(await read('fresh', first))]).toEqual([day]);
    expect(await rowOf()).toEqual([{ ...kept, readAt: second }]);
    await read('settled', third);
    expect(await rowOf()).toEqual([{ state: 'settled', readAt: third, changedAt: first, facts: '{"tool_calls":1}' }]);
  });

  describe('loaded a few parts at a time', () => {
    const DAY = '2026-01-05';
    const openWith = async (...texts: readonly string[]) => {
      const { db } = await openEmptyStore(engine);
      const replace = async (some: readonly string[], readAt = new Date('2026-01-07T07:00:00Z')) => {
        const day: NewDay = { day: DAY, state: 'settled', readAt, parts: DayParts.of(...some) };
        await storeDays({ db, log: createLogger('silent', []) }, 'users', [day]);
      };
      if (texts.length > 0) await replace(texts);
      return { db, replace };
    };
    const textsOf = (count: number, version = '') => Array.from({ length: count }, (_, part) => `"${part}${version}"`);
    const LATER = new Date('2026-01-08T07:00:00Z');

    test.each([0, 1, 2, 16, 17, 18, 33, 100])('have each of %i parts once, in order', async (count) => {
      const { db } = await openWith(...textsOf(count));
      expect(await collect(eachPart(db, 'users', DAY))).toEqual(textsOf(count));
    });

    test.each([60, 17, 1])(
      'are never those of two versions: one with %i parts that comes between is an error',
      async (count) => {
        const { db, replace } = await openWith(...textsOf(60));
        const parts = eachPart(db, 'users', DAY);
        expect((await parts.next()).value).toBe('"0"');
        await replace(textsOf(count, ' corrected'), LATER);
        await expect(collect(parts)).rejects.toThrow(`${DAY} changed while it was loaded`);
      },
    );

    test('are those of the day when it was read again without a change', async () => {
      const { db, replace } = await openWith(...textsOf(60));
      const parts = eachPart(db, 'users', DAY);
      await parts.next();
      await replace(textsOf(60), LATER);
      expect(await collect(parts)).toEqual(textsOf(60).slice(1));
    });
  });
});

test('changes are found by an index, without a look at the rows of people', async () => {
  const store = await openEmptyStore('sqlite');
  const { sql: text, parameters } = changesSince(store.db, { ...PERIOD, since: new Date().toISOString() }).compile();
  const plan = CompiledQuery.raw(`explain query plan ${text}`, [...parameters]);
  const { rows } = await store.db.executeQuery<{ detail: string }>(plan);
  expect(rows.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^SEARCH analytics_days USING INDEX \S+ \(resource=\? AND day>\? AND day<\?\)$/),
  ]);
});
