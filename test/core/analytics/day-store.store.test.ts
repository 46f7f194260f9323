import { CompiledQuery } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type NewDay,
  changesSince,
  loadTotals,
  readStoredDays,
  storeDays,
  totalsAlone,
} from '../../../src/core/analytics/reading/day-store.ts';
import { createStoredPeople } from '../../../src/core/analytics/reading/stored-people.ts';
import type { Database } from '../../../src/core/store/tables.ts';
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

const depsOf = (db: Database, log = createLogger('silent', [])) => ({ db, log, storedPeople: createStoredPeople(db) });

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
        facts: totalsAlone(`"${day} ${round}"`),
      }));
    for (let round = 0; round < rounds; round += 1) {
      const days = readIn(round);
      await Promise.all(
        [days, days.toReversed()].map((ordered, at) =>
          storeDays(depsOf((at === 0 ? stores[0] : stores[1]).db, log), 'tools', ordered),
        ),
      );
    }
    expect(lines).toEqual([]);
    const kept = [...(await readStoredDays(stores[0].db, 'tools', PERIOD)).keys()].toSorted();
    expect(kept).toEqual(daysOf(PERIOD));
    const totals = await loadTotals(stores[1].db, 'tools', kept);
    expect([...totals.values()]).toEqual(readIn(rounds - 1).map(({ facts }) => facts.totals));
  });

  test('that have not changed keep their rows, and the time of their latest reading', async () => {
    const { db } = await openEmptyStore(engine);
    const day = '2026-01-05';
    const read = (state: 'fresh' | 'settled', at: string) =>
      storeDays(depsOf(db), 'tools', [{ day, state, readAt: new Date(at), facts: totalsAlone('{"tool_calls":1}') }]);
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
