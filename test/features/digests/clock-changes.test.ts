import { afterEach, describe, expect, test } from 'vitest';
import { digestMessage } from '../../../src/features/digests/core/digest-messages.ts';
import { digestSubscription } from '../../../src/features/digests/deliver/plan.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { planDueSubscriptions } from '../../../src/core/schedule/due-subscriptions.ts';
import { EVERY_DAY } from '../../../src/core/schedule/occurrences.ts';
import { createSubscription } from '../../../src/core/schedule/subscriptions.ts';
import { daysOf, plusDays } from '../../../src/core/base/time/calendar.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

const HALF_HOUR_MS = 30 * 60_000;

/** Every change of the clocks of 2026 and 2027, by zone. */
const CHANGES: Record<string, string[]> = {
  'Europe/Berlin': ['2026-03-29', '2026-10-25', '2027-03-28', '2027-10-31'],
  'America/New_York': ['2026-03-08', '2026-11-01', '2027-03-14', '2027-11-07'],
  'Australia/Lord_Howe': ['2026-04-05', '2026-10-04', '2027-04-04', '2027-10-03'],
};
const cases = Object.entries(CHANGES).flatMap(([zone, dates]) => dates.map((date) => [zone, date] as const));

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** Plans digests every half an hour, twice as two replicas would, from three days before a date to two days after. */
async function planAround(engine: 'sqlite' | 'postgres', zone: string, date: string) {
  const database = await createDatabase(engine);
  cleanUps.push(() => database.drop());
  const store = await openStore(database.url);
  const { db } = store;
  cleanUps.push(() => store.close());
  const clock = createMovableClock(new Date(`${plusDays(date, -3)}T00:00:00Z`), { frozen: true });
  const schedule = { days: EVERY_DAY, at: '02:30', zone };
  const subscription = { id: 'k7m2', kind: 'digest', channel: 'C1', schedule, settings: {} };
  await db.transaction().execute((trx) => createSubscription(trx, subscription, clock.now()));
  const parts = { db, clock, kinds: { digest: digestSubscription(clock) }, log: createLogger('fatal', []) };
  const endMs = Date.parse(`${plusDays(date, 2)}T00:00:00Z`);
  for (let atMs = clock.now().getTime(); atMs < endMs; atMs += HALF_HOUR_MS) {
    clock.moveTo(new Date(atMs));
    await Promise.all([planDueSubscriptions(parts), planDueSubscriptions(parts)]);
  }
  const rows = await db.selectFrom('deliveries').selectAll().orderBy('key').execute();
  return rows.map((row) => {
    const { slot, state, payload } = digestMessage.parse(row);
    return { date: slot ?? undefined, state, days: daysOf(payload.period) };
  });
}

describe.each(availableEngines())('a digest at 02:30, on %s', (engine) => {
  test.each(cases)(
    'in %s comes once on each date around the change of %s, and covers each day once',
    async (zone, date) => {
      const planned = await planAround(engine, zone, date);
      const dates = planned.map((one) => one.date ?? '');
      const [first = '', last = ''] = [dates[0], dates.at(-1)];
      expect(dates).toEqual(daysOf({ first, last }));
      expect(dates).toContain(date);
      expect(planned.every(({ state }) => state === 'waiting')).toBe(true);
      const days = planned.flatMap((one) => one.days);
      expect(days).toEqual(daysOf({ first: days[0] ?? '', last: days.at(-1) ?? '' }));
    },
  );
});
