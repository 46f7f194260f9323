import { afterEach, describe, expect, test } from 'vitest';
import { digestSubscription } from '../../../src/features/digests/deliver/plan.ts';
import { whyMessage } from '../../../src/features/digests/manage/history.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { mrkdwnOf } from '../../../src/core/base/text/markup.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { planDueSubscriptions } from '../../../src/core/schedule/due-subscriptions.ts';
import { EVERY_DAY } from '../../../src/core/schedule/occurrences.ts';
import {
  createSubscription,
  findSubscription,
  pauseSubscription,
  resumeSubscription,
} from '../../../src/core/schedule/subscriptions.ts';
import type { Person } from '../../../src/core/slack/people/people.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

const morgan: Person = {
  slackId: 'U0MORGAN',
  name: 'Morgan',
  email: undefined,
  timeZone: 'UTC',
  role: 'manager',
  seesPeople: true,
};

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** A digest of every morning at nine, set up on the evening of Sunday, 1 March. */
async function setScene(engine: 'sqlite' | 'postgres', options = { frozen: true, remembersMoves: false }) {
  const database = await createDatabase(engine);
  cleanUps.push(() => database.drop());
  const store = await openStore(database.url);
  const { db } = store;
  cleanUps.push(() => store.close());
  const clock = createMovableClock(new Date('2026-03-01T20:00:00Z'), options);
  const schedule = { days: EVERY_DAY, at: '09:00', zone: 'UTC' };
  const digest = { id: 'k7m2', kind: 'digest', channel: 'C1', schedule, settings: {}, owner: 'U0MORGAN' };
  await db.transaction().execute((trx) => createSubscription(trx, digest, clock.now()));
  const parts = { db, clock, kinds: { digest: digestSubscription(clock) }, log: createLogger('fatal', []) };
  const tickAt = (at: string) => {
    clock.moveTo(new Date(at));
    return Promise.all([planDueSubscriptions(parts), planDueSubscriptions(parts)]);
  };
  const planned = () => db.selectFrom('deliveries').select(['key', 'state', 'reason']).orderBy('key').execute();
  return { db, clock, tickAt, planned };
}

describe.each(availableEngines())('a morning while Quartermaster was not running, on %s', (engine) => {
  test('is recorded as missed, once, after the next start, and /digest why lists it', async () => {
    const { db, clock, tickAt, planned } = await setScene(engine);
    await tickAt('2026-03-02T09:00:00Z');
    await tickAt('2026-03-05T12:00:00Z');
    const reason = 'Quartermaster was down, and the next one was due before it was back.';
    expect(await planned()).toEqual([
      { key: 'digest:k7m2:2026-03-02', state: 'waiting', reason: null },
      { key: 'digest:k7m2:2026-03-03', state: 'skipped', reason },
      { key: 'digest:k7m2:2026-03-04', state: 'skipped', reason },
      { key: 'digest:k7m2:2026-03-05', state: 'waiting', reason: null },
    ]);
    const why = mrkdwnOf((await whyMessage({ db, clock }, morgan)).text).replaceAll(/<!date[^|]*\|([^>]*)>/g, '$1');
    expect(why).toContain('Daily digest, Mon 2 Mar (UTC)');
    expect(why).toContain('Planned for 2026-03-03 09:00 UTC');
    expect(why).toContain(`skipped. ${reason}`);
  });

  test('is listed only if it is one of the last 14 days', async () => {
    const { tickAt, planned } = await setScene(engine);
    await tickAt('2026-06-20T12:00:00Z');
    const keys = (await planned()).map(({ key }) => key);
    expect(keys[0]).toBe('digest:k7m2:2026-06-07');
    expect(keys).toHaveLength(14);
  });

  test('is not missed if the digest was paused', async () => {
    const { db, clock, tickAt, planned } = await setScene(engine);
    await pauseSubscription(db, 'k7m2', 'U0MORGAN', null, clock.now());
    await tickAt('2026-03-05T12:00:00Z');
    const digest = await findSubscription(db, 'digest', 'k7m2');
    if (digest) await resumeSubscription(db, digest, 'U0MORGAN', clock.now());
    await tickAt('2026-03-06T09:00:00Z');
    expect((await planned()).map(({ key }) => key)).toEqual(['digest:k7m2:2026-03-06']);
  });
});

test('a digest is neither late nor missed if the clock of the sandbox was moved past it', async () => {
  const { db, planned, clock } = await setScene('sqlite', { frozen: true, remembersMoves: true });
  const parts = { db, clock, kinds: { digest: digestSubscription(clock) }, log: createLogger('fatal', []) };
  clock.moveTo(new Date('2026-03-03T09:45:00Z'));
  await planDueSubscriptions(parts);
  expect(await planned()).toEqual([
    { key: 'digest:k7m2:2026-03-02', state: 'skipped', reason: 'The clock was moved past it.' },
    { key: 'digest:k7m2:2026-03-03', state: 'waiting', reason: null },
  ]);
  const { payload } = await db
    .selectFrom('deliveries')
    .select('payload')
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  expect(payload).toContain('"plannedFor":"2026-03-03T09:45:00.000Z"');
});
