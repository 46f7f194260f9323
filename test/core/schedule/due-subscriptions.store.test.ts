import { afterEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../../src/core/base/log.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import {
  planDueSubscriptions,
  planningJob,
  type SubscriptionKind,
} from '../../../src/core/schedule/due-subscriptions.ts';
import { beat } from '../../../src/core/store/health/heartbeat.ts';
import { nameProcess } from '../../../src/core/store/lease.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/core/base/time/durations.ts';
import { EVERY_DAY } from '../../../src/core/schedule/occurrences.ts';
import { createSubscription } from '../../../src/core/schedule/subscriptions.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Engine } from '../../../src/core/store/store.ts';
import { availableEngines, createDatabase, whereThereIsPostgres } from '../../support/stores/databases.ts';

const EIGHT = new Date('2026-03-02T08:00:00Z');
const NINE = new Date('2026-03-02T09:00:00Z');
const IDS = ['a1', 'a2', 'a3', 'a4'];

const cleanUps: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** Four subscriptions that are due at nine, and replicas that plan them. */
async function setScene(engine: Engine) {
  const database = await createDatabase(engine);
  cleanUps.push(() => database.drop());
  const clock = createMovableClock(NINE, { frozen: true });
  cleanUps.push(() => clock.dispose());
  const faults: string[] = [];
  const log = createLogger('error', [], (line) => void faults.push(line));
  const startReplica = async (onDue: SubscriptionKind['onDue']) => {
    const store = await openStore(database.url);
    cleanUps.push(() => store.close());
    const kinds = { digest: { onDue, onTooLate: onDue } };
    const parts = { db: store.db, clock, kinds, log };
    const planning = planningJob(parts);
    return { db: store.db, store, tick: () => planDueSubscriptions(parts), plan: () => planning.run() };
  };
  const { db } = await startReplica(() => Promise.resolve());
  const schedule = { days: EVERY_DAY, at: '09:00', zone: 'UTC' };
  await db.transaction().execute(async (trx) => {
    for (const id of IDS)
      await createSubscription(trx, { id, kind: 'digest', channel: 'C1', schedule, settings: {}, owner: 'U1' }, EIGHT);
  });
  return { startReplica, faults, clock };
}

describe.each(availableEngines())('subscriptions that are due, on %s,', (engine) => {
  test('are planned once each, and a faulty one blocks no other and is tried once a tick', async () => {
    const { startReplica, faults } = await setScene(engine);
    const tried: string[] = [];
    const replica = await startReplica((_trx, { id }) => {
      tried.push(id);
      return id === 'a2' ? Promise.reject(new Error('faulty')) : Promise.resolve();
    });
    await replica.tick();
    expect(tried).toEqual(IDS);
    await replica.tick();
    expect(tried).toEqual([...IDS, 'a2']);
    expect(faults).toHaveLength(2);
  });
});

test.for(whereThereIsPostgres())('a replica on %s waits for no other one that is planning', async (engine) => {
  const { startReplica, faults } = await setScene(engine);
  const planned: string[] = [];
  const isHeld = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const slow = await startReplica(async (_trx, { id }) => {
    planned.push(`slow ${id}`);
    isHeld.resolve();
    await release.promise;
  });
  const quick = await startReplica((_trx, { id }) => Promise.resolve(void planned.push(`quick ${id}`)));
  const slowTick = slow.tick();
  await isHeld.promise;
  await quick.tick();
  expect(planned).toEqual(['slow a1', 'quick a2', 'quick a3', 'quick a4']);
  expect(faults).toEqual([]);
  release.resolve();
  await slowTick;
  expect(planned).toHaveLength(IDS.length);
});

test.for(whereThereIsPostgres())(
  'a replica on %s plans at its start, and then leaves the planning to the first one until a minute has passed',
  async (engine) => {
    const { startReplica, clock } = await setScene(engine);
    const planned: string[] = [];
    const [first, second] = await Promise.all(
      ['first', 'second'].map(async (name) => {
        const replica = await startReplica((_trx, { id }) => Promise.resolve(void planned.push(`${name} ${id}`)));
        nameProcess(replica.db, name);
        await beat(replica.store, { process: name });
        return replica;
      }),
    );
    await second?.plan();
    expect(planned).toEqual(IDS.map((id) => `second ${id}`));
    clock.moveTo(new Date(clock.now().getTime() + DAY_MS));
    await second?.plan();
    expect(planned).toHaveLength(IDS.length);
    await first?.plan();
    expect(planned.slice(IDS.length)).toEqual(IDS.map((id) => `first ${id}`));
    clock.moveTo(new Date(clock.now().getTime() + DAY_MS + MINUTE_MS));
    await second?.plan();
    expect(planned.slice(2 * IDS.length)).toEqual(IDS.map((id) => `second ${id}`));
  },
);
