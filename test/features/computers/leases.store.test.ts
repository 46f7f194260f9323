import { afterEach, describe, expect, test } from 'vitest';
import { noCheckpoint, type Checkpoint } from '../../../src/core/base/checkpoint.ts';
import type { ComputerOrderTables } from '../../../src/features/computers/core/computer-tables.ts';
import { carryOut } from '../../../src/features/computers/create/carry-out.ts';
import type { ComputerDeps } from '../../../src/features/computers/core/computers-deps.ts';
import { resumeAbandoned } from '../../../src/features/computers/create/recover.ts';
import { addOrder, LEASE_MS } from '../../../src/features/computers/core/orders.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import type { Computer } from '../../../src/core/platform/endpoints/computers.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { type Store } from '../../../src/core/store/store.ts';
import { listAuditEntries } from '../../../src/core/store/audit.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';
import { stoppable } from '../../support/time-jump.ts';

const START = new Date('2026-03-02T09:00:00Z');
const BODY = { name: 'night-build', remoteUser: 'agent', autoInstallDeps: false };

describe.each(availableEngines())('a lease on a creation on %s', (engine) => {
  let database: TestDatabase;
  let store: Store;
  let clock: MovableClock;
  const list: Computer[] = [];
  afterEach(async () => {
    list.length = 0;
    await store.close();
    await database.drop();
  });
  const unused = () => Promise.reject(new Error('not asked here'));
  const replica = (
    create: ComputerDeps['platform']['computers']['create'],
    checkpoint: Checkpoint = noCheckpoint,
  ): ComputerDeps => ({
    config: { computersRole: 'member' },
    platform: { computers: { list: () => Promise.resolve([...list]), create, get: unused, installDeps: unused } },
    db: store.db,
    clock,
    findAddresses: unused,
    channels: { join: unused, nameIfPostable: unused, publicName: unused, find: unused, checkReaders: unused },
    log: createLogger('silent', []),
    checkpoint,
  });
  const body = async () => {
    database = await createDatabase(engine);
    clock = createMovableClock(START, { frozen: true });
    store = await openStore(database.url, undefined, () => clock.now());
    const { name, remoteUser } = BODY;
    const order = { id: 'w1', person: 'U1', channel: 'C1', body: JSON.stringify(BODY), name, remoteUser };
    await addOrder(store.db, { ...order, leaseMs: LEASE_MS, state: 'requested' }, START);
  };
  const later = (seconds: number) => clock.moveTo(new Date(clock.now().getTime() + seconds * 1_000));
  const created = (): Computer => ({
    id: 'c1',
    name: BODY.name,
    remoteUser: BODY.remoteUser,
    providerType: 'hosted',
    status: 'provisioning',
    createdAt: clock.now().getTime(),
    provisioningSteps: [],
  });
  const stateOf = async () => ({
    state: (
      await store.db.withTables<ComputerOrderTables>().selectFrom('computerOrders').selectAll().executeTakeFirst()
    )?.state,
    entries: (await listAuditEntries(store.db, 'computers:w1')).map(({ action }) => action),
    deliveries: (await store.db.selectFrom('deliveries').select('key').execute()).map(({ key }) => key),
  });

  test('that is nearly over when its process resumes stops the request from being sent; the person is notified after two readings of the list', async () => {
    await body();
    const process = stoppable();
    let requests = 0;
    const create = () => {
      requests += 1;
      return Promise.resolve(created());
    };
    const late = replica(create, (name) => {
      if (name === 'computers:before_create') process.sleep(50_000);
    });
    expect(await carryOut(late, 'w1', false)).toEqual({ kind: 'unknown' });
    const other = replica(create);
    for (let looks = 0; looks < 2; looks += 1) {
      later(61);
      await resumeAbandoned(other);
    }
    expect(requests).toBe(0);
    expect(await stateOf()).toEqual({
      state: 'not_created',
      entries: ['requested', 'not_created'],
      deliveries: ['computer:w1:notice:not_created'],
    });
  });

  test('that ends while the second reading is under way does not make that reading a late one', async () => {
    await body();
    const other = replica(unused);
    await store.db.withTables<ComputerOrderTables>().updateTable('computerOrders').set({ state: 'creating' }).execute();
    later(61);
    await resumeAbandoned(other);
    const slept: ComputerDeps = {
      ...other,
      platform: {
        computers: {
          ...other.platform.computers,
          list: () => {
            later(61);
            return Promise.resolve([]);
          },
        },
      },
    };
    await resumeAbandoned(slept);
    expect((await stateOf()).state).toBe('unknown');
    await resumeAbandoned(other);
    expect((await stateOf()).state).toBe('not_created');
  });

  test('may end before the answer arrives: the next holder finds the computer in the list, and the late answer changes nothing', async () => {
    await body();
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Computer>();
    const late = carryOut(
      replica(() => {
        asked.resolve();
        return answer.promise;
      }),
      'w1',
      false,
    );
    await asked.promise;
    const computer = created();
    list.push(computer);
    later(61);
    await resumeAbandoned(replica(unused));
    const settled = await stateOf();
    expect(settled).toEqual({
      state: 'following',
      entries: ['requested', 'created'],
      deliveries: ['computer:w1:card'],
    });
    answer.resolve(computer);
    await late;
    expect(await stateOf()).toEqual(settled);
  });
});
