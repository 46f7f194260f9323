import { afterEach, describe, expect, test } from 'vitest';
import { planDue } from '../../../src/core/schedule/due-subscriptions.ts';
import { EVERY_DAY, nextOccurrence, previousOccurrence } from '../../../src/core/schedule/occurrences.ts';
import {
  countFailure,
  createSubscription,
  findSubscription,
  forgetFailures,
  listSubscriptions,
  pauseSubscription,
  putSubscription,
  removeSubscription,
  resumeSubscription,
} from '../../../src/core/schedule/subscriptions.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { type Engine } from '../../../src/core/store/store.ts';
import { type Database } from '../../../src/core/store/tables.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

const NOW = new Date('2026-03-02T08:00:00Z');
const LATER = new Date('2026-03-05T08:00:00Z');
const schedule = { days: EVERY_DAY, at: '09:00', zone: 'UTC' };
const newSubscription = { id: 'k7m2', kind: 'digest', channel: 'C1', schedule, settings: { a: 1 }, owner: 'U1' };

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function open(engine: Engine): Promise<Database> {
  const database = await createDatabase(engine);
  cleanUps.push(() => database.drop());
  const store = await openStore(database.url);
  const { db } = store;
  cleanUps.push(() => store.close());
  await db.transaction().execute((trx) => createSubscription(trx, newSubscription, NOW));
  return db;
}

describe.each(availableEngines())('a subscription on %s', (engine) => {
  test('starts with its next time, and each id is used once', async () => {
    const db = await open(engine);
    expect((await findSubscription(db, 'digest', 'k7m2'))?.nextDueAt).toBe('2026-03-02T09:00:00.000Z');
    expect(await db.transaction().execute((trx) => createSubscription(trx, newSubscription, NOW))).toBe(false);
    expect(await listSubscriptions(db, 'watch')).toEqual([]);
  });

  test('is paused by one of ten concurrent attempts, and resumed by one', async () => {
    const db = await open(engine);
    const pauses = Array.from({ length: 10 }, (_, index) => pauseSubscription(db, 'k7m2', `U${index}`, null, NOW));
    expect((await Promise.all(pauses)).filter(Boolean)).toHaveLength(1);
    const resumes = Array.from({ length: 10 }, () =>
      resumeSubscription(db, { id: 'k7m2', schedule: JSON.stringify(schedule) }, 'U2', LATER),
    );
    const resumed = (await Promise.all(resumes)).filter((next) => next !== undefined);
    expect(resumed).toEqual([new Date('2026-03-05T09:00:00Z')]);
    expect(await findSubscription(db, 'digest', 'k7m2')).toMatchObject({ state: 'active', changedBy: 'U2' });
  });

  test('that was removed appears in no list, cannot be paused or resumed, and keeps the name of the remover', async () => {
    const db = await open(engine);
    expect(await removeSubscription(db, 'k7m2', 'U1', NOW)).toBe(true);
    expect(await removeSubscription(db, 'k7m2', 'U2', NOW)).toBe(false);
    expect(await pauseSubscription(db, 'k7m2', 'U1', null, NOW)).toBe(false);
    expect(await listSubscriptions(db, 'digest')).toEqual([]);
    expect(await findSubscription(db, 'digest', 'k7m2')).toMatchObject({ state: 'removed', changedBy: 'U1' });
  });

  test('fails for good with the third failure in a row that is a day after the first, not after a success', async () => {
    const db = await open(engine);
    const after = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
    const countAt = (hours: number) => db.transaction().execute((trx) => countFailure(trx, 'k7m2', after(hours)));
    expect([await countAt(0), await countAt(0.01), await countAt(0.02), await countAt(23.9)]).toEqual(
      Array(4).fill(false),
    );
    expect(await countAt(24)).toBe(true);
    await db.transaction().execute((trx) => forgetFailures(trx, 'k7m2'));
    expect([await countAt(48), await countAt(72.1), await countAt(72.2)]).toEqual([false, false, true]);
  });

  test('of the settings stays paused after a restart, and returns after a removal from the settings', async () => {
    const db = await open(engine);
    await pauseSubscription(db, 'k7m2', 'U1', null, NOW);
    await putSubscription(db, newSubscription, LATER);
    expect((await findSubscription(db, 'digest', 'k7m2'))?.state).toBe('paused');
    await removeSubscription(db, 'k7m2', null, LATER);
    await putSubscription(db, newSubscription, LATER);
    expect(await findSubscription(db, 'digest', 'k7m2')).toMatchObject({
      state: 'active',
      nextDueAt: '2026-03-05T09:00:00.000Z',
    });
  });
});

describe('a subscription of the settings', () => {
  test.each(['07:00', '08:30', '09:30'])('that is due is sent although its time is now %s', async (at) => {
    const db = await open('sqlite');
    const now = new Date('2026-03-02T09:05:00Z');
    const sent: string[] = [];
    const onDue = (_trx: unknown, _subscription: unknown, { localDate }: { localDate: string }) => {
      sent.push(localDate);
      return Promise.resolve();
    };
    const kind = { onDue, onTooLate: () => Promise.reject(new Error('It is five minutes late')) };
    const put = (schedules: typeof schedule) =>
      putSubscription(db, { ...newSubscription, schedule: schedules }, now, (trx, stored) =>
        planDue(trx, stored, kind, now),
      );
    await put({ ...schedule, at });
    await put({ ...schedule, at });
    expect(sent).toEqual(['2026-03-02']);
    const next = at < '09:05' ? `2026-03-03T${at}:00.000Z` : `2026-03-02T${at}:00.000Z`;
    expect((await findSubscription(db, 'digest', 'k7m2'))?.nextDueAt).toBe(next);
  });

  test('that was paused because its channel was gone resumes in the newly configured channel', async () => {
    const db = await open('sqlite');
    await pauseSubscription(db, 'k7m2', null, 'The channel is archived.', NOW);
    await putSubscription(db, newSubscription, LATER);
    expect((await findSubscription(db, 'digest', 'k7m2'))?.state).toBe('paused');
    await putSubscription(db, { ...newSubscription, channel: 'C2' }, LATER);
    const expected = { state: 'active', channel: 'C2', pausedReason: null, failures: 0 };
    expect(await findSubscription(db, 'digest', 'k7m2')).toMatchObject(expected);
  });
});

describe('a monthly schedule', () => {
  const monthly = { monthDay: 28, at: '09:00', zone: 'Europe/Berlin' };

  test('has an occurrence in each month, even in February', () => {
    let { at } = nextOccurrence(monthly, new Date('2026-01-01T00:00:00Z'));
    const dates = [at.toISOString()];
    while (dates.length < 4) {
      ({ at } = nextOccurrence(monthly, at));
      dates.push(at.toISOString());
    }
    expect(dates.map((date) => date.slice(0, 10))).toEqual(['2026-01-28', '2026-02-28', '2026-03-28', '2026-04-28']);
  });

  test('has a strictly earlier previous occurrence', () => {
    const { at } = nextOccurrence(monthly, new Date('2026-03-01T00:00:00Z'));
    expect(previousOccurrence(monthly, at).localDate).toBe('2026-02-28');
  });
});
