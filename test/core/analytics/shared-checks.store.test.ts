import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDayChecks } from '../../../src/core/analytics/check-days.ts';
import { sharedChecks } from '../../../src/app/services.ts';
import { MAX_CHECKS_AN_HOUR, refusedCheck } from '../../../src/core/figures/explanation/check-limit.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { whileTimePasses } from '../../support/scene-clock.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const NOW = new Date('2026-03-02T07:00:00Z');
const PERIOD = { first: '2026-02-09', last: '2026-02-15' };
const CHECK = { period: PERIOD, resources: ['tools'] as const, withPeople: false };

describe.each(availableEngines())('checks of a period, on %s', (engine) => {
  let database: TestDatabase;
  let store: Store;
  let clock: MovableClock;
  let readings = 0;
  let isBroken = false;
  beforeEach(async () => {
    clock = createMovableClock(NOW);
    database = await createDatabase(engine);
    store = await openStore(database.url, undefined, () => clock.now());
    readings = 0;
    isBroken = false;
  });
  afterEach(async () => {
    await store.close();
    clock.dispose();
    await database.drop();
  });

  /** Each has the memory of a process of its own. */
  const replica = () =>
    createDayChecks({
      clock,
      shared: sharedChecks(store.db),
      days: {
        ...unused,
        tools: async () => {
          readings += 1;
          await delay(20);
          if (isBroken) throw new Error('The platform is out');
          return { kind: 'read', rows: [], readAt: clock.now() };
        },
      },
    });
  const afterMinutes = (minutes: number) => clock.moveTo(new Date(NOW.getTime() + minutes * 60_000));
  test('are shared by two replicas for ten minutes', async () => {
    const [one, other] = [replica(), replica()];
    const first = await one.readAgain(CHECK);
    afterMinutes(9);
    expect(await other.readAgain(CHECK)).toEqual(first);
    expect(readings).toBe(1);
    afterMinutes(11);
    expect(await other.readAgain(CHECK)).not.toEqual(first);
    expect(readings).toBe(2);
  });

  test('that two replicas begin at the same time are one', async () => {
    const times = await whileTimePasses(
      { clock },
      Promise.all([replica(), replica()].map((one) => one.readAgain(CHECK))),
    );
    expect(readings).toBe(1);
    expect(times[0]).toEqual(times[1]);
  });

  test('that failed are made again', async () => {
    isBroken = true;
    await expect(replica().readAgain(CHECK)).rejects.toThrow('The platform is out');
    isBroken = false;
    await replica().readAgain(CHECK);
    expect(readings).toBe(2);
  });

  test('of a replica that stopped in the middle are made by another one some minutes later', async () => {
    await sharedChecks(store.db).claim('tools 2026-02-09..2026-02-15', clock.now(), 180_000);
    const started = replica().readAgain(CHECK);
    await whileTimePasses({ clock }, started);
    expect(readings).toBe(1);
    expect(clock.now().getTime() - NOW.getTime()).toBeGreaterThan(170_000);
  });

  test('are limited for each person and hour', async () => {
    const check = (slackId: string) => refusedCheck({ db: store.db, clock }, slackId);
    for (let count = 0; count < MAX_CHECKS_AN_HOUR; count += 1) expect(await check('U1')).toBeUndefined();
    afterMinutes(18);
    expect(await check('U1')).toBe('You can check 20 times an hour. Check again in 42 minutes.');
    expect(await check('U2')).toBeUndefined();
    afterMinutes(61);
    expect(await check('U1')).toBeUndefined();
  });
});

const unusedReading = () => Promise.reject(new Error('This test does not read it'));
const unused = {
  credits: unusedReading,
  dailyCredits: unusedReading,
  activity: unusedReading,
  productivity: unusedReading,
  users: unusedReading,
};
