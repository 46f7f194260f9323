import { expect, onTestFinished, test } from 'vitest';
import { claimNext } from '../../../src/core/outbox/attempts/claim.ts';
import { makeDueNow, settle } from '../../../src/core/outbox/deliveries.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { beat, recordStop } from '../../../src/core/store/health/heartbeat.ts';
import { nameProcess } from '../../../src/core/store/lease.ts';
import { enqueue } from '../../support/outbox/enqueue.ts';
import { createDatabase, whereThereIsPostgres } from '../../support/stores/databases.ts';

const SEVEN = new Date('2026-03-02T07:00:00Z');
const LEASE_MS = 60_000;

/** Two replicas; a message for another channel each time. */
async function setScene() {
  const database = await createDatabase('postgres');
  const clock = createMovableClock(SEVEN, { frozen: true });
  const startReplica = async (name: string) => {
    const store = await openStore(database.url, undefined, () => clock.now());
    nameProcess(store.db, name);
    const state = { process: name };
    await beat(store, state);
    return {
      store,
      live: () => beat(store, state),
      enqueue: (key: string) => {
        const delivery = { key, kind: 'test', channel: `C-${key}`, payload: {}, dueAt: clock.now() };
        return store.db.transaction().execute((trx) => enqueue(trx, delivery, clock.now()));
      },
      claim: () => claimNext(store.db, 'postgres', name, LEASE_MS),
      sendNow: (key: string) => store.db.transaction().execute((trx) => makeDueNow(trx, [key], clock.now())),
      stop: () => recordStop(store.db, name),
    };
  };
  const replicas = { one: await startReplica('one'), other: await startReplica('other') };
  onTestFinished(async () => {
    for (const { store } of Object.values(replicas)) await store.close();
    await database.drop();
    clock.dispose();
  });
  const advance = (ms: number) => clock.moveTo(new Date(clock.now().getTime() + ms));
  return { ...replicas, clock, advance };
}

test.for(whereThereIsPostgres())('a message on %s is sent by the replica that enqueued it', async () => {
  const { one, other } = await setScene();
  await one.enqueue('a');
  expect(await other.claim()).toBeUndefined();
  expect(await one.claim()).toMatchObject({ key: 'a' });
});

test.for(whereThereIsPostgres())('a message on %s that is ten seconds late is sent by any replica', async () => {
  const { one, other, advance } = await setScene();
  await one.enqueue('a');
  advance(9_999);
  expect(await other.claim()).toBeUndefined();
  advance(1);
  expect(await other.claim()).toMatchObject({ key: 'a' });
});

test.for(whereThereIsPostgres())('messages on %s of a replica that stopped are sent by any other at once', async () => {
  const { one, other } = await setScene();
  await one.enqueue('a');
  await one.stop();
  expect(await other.claim()).toMatchObject({ key: 'a' });
});

test.for(whereThereIsPostgres())(
  'a message on %s that waits belongs to the replica that tried it, until another one hastens it',
  async () => {
    const { one, other, clock, advance } = await setScene();
    await one.enqueue('a');
    const delivery = await one.claim();
    if (!delivery) throw new Error('The message was not claimed');
    const wait = { state: 'waiting', delayMs: 1_000, reason: 'not published' } as const;
    await settle(one.store.db, delivery, wait, clock.now());
    advance(1_000);
    expect(await other.claim()).toBeUndefined();
    await other.sendNow('a');
    expect(await one.claim()).toBeUndefined();
    expect(await other.claim()).toMatchObject({ key: 'a' });
  },
);

test.for(whereThereIsPostgres())(
  'of two messages for one channel on %s the earlier one goes first, whichever replica enqueued it',
  async () => {
    const { one, other, clock } = await setScene();
    const enqueueIn = (replica: typeof one, key: string) =>
      replica.store.db
        .transaction()
        .execute((trx) =>
          enqueue(trx, { key, kind: 'test', channel: 'C1', payload: {}, dueAt: clock.now() }, clock.now()),
        );
    await enqueueIn(one, 'a');
    await enqueueIn(other, 'b');
    expect(await other.claim()).toBeUndefined();
    expect(await one.claim()).toMatchObject({ key: 'a' });
  },
);
