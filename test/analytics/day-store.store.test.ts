import { CompiledQuery } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DayParts } from '../../src/analytics/reading/day-parts.ts';
import {
  changesSince,
  storeDays,
  readStoredDays,
  loadParts,
  type NewDay,
} from '../../src/analytics/reading/day-store.ts';
import { daysOf } from '../../src/base/time/calendar.ts';
import { createLogger } from '../../src/base/log.ts';
import { openStore } from '../../src/store/database.ts';
import { availableEngines, createDatabase } from '../support/stores/databases.ts';

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
    const database = await createDatabase(engine);
    const store = await openStore(database.url);
    onTestFinished(async () => {
      await store.close();
      await database.drop();
    });
    const parts = DayParts.of('{}');
    for (let part = 0; part < 30; part += 1) parts.push(JSON.stringify([[`u${part}`, '“é” '.repeat(20_000), part]]));
    const day: NewDay = { day: '2026-01-05', state: 'settled', readAt: new Date('2026-01-07T07:00:00Z'), parts };
    const stored = await storeDays({ db: store.db, log: createLogger('silent', []) }, 'users', [day]);
    expect([...stored]).toEqual([day.day]);
    expect((await loadParts(store.db, 'users', [day.day], 'all')).get(day.day)).toEqual([...parts]);
  });
});

test('changes are found by an index, without a look at the rows of people', async () => {
  const database = await createDatabase('sqlite');
  const store = await openStore(database.url);
  onTestFinished(async () => {
    await store.close();
    await database.drop();
  });
  const { sql: text, parameters } = changesSince(store.db, PERIOD, new Date()).compile();
  const plan = CompiledQuery.raw(`explain query plan ${text}`, [...parameters]);
  const { rows } = await store.db.executeQuery<{ detail: string }>(plan);
  expect(rows.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^SEARCH analytics_days USING INDEX \S+ \(resource=\? AND day>\? AND day<\?\)$/),
  ]);
});
