import { describe, expect, onTestFinished, test } from 'vitest';
import { storeDays, readStoredDays, loadParts, type ReadDay } from '../../src/analytics/reading/day-store.ts';
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
    const readIn = (round: number): ReadDay[] =>
      daysOf(PERIOD).map((day) => ({
        day,
        state: 'fresh',
        readAt: new Date(Date.UTC(2026, 2, 2, 7, 0, round)),
        parts: [`"${day} ${round}"`],
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
    expect([...parts.values()].flat()).toEqual(readIn(rounds - 1).flatMap((one) => one.parts));
  });
});
