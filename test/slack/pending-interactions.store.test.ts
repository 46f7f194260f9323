import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/base/log.ts';
import { createMovableClock, type MovableClock } from '../../src/sandbox/clock.ts';
import { createPendingInteractions } from '../../src/slack/inbound/pending/pending-interactions.ts';
import { openStore } from '../../src/store/database.ts';
import { type Store } from '../../src/store/store.ts';
import {
  availableEngines,
  createDatabase,
  whereThereIsPostgres,
  type TestDatabase,
} from '../support/stores/databases.ts';

const clickOf = (key: string) => ({ key, kind: 'click' as const, payload: { key } });

describe.each(availableEngines())('stored clicks and forms on %s', (engine) => {
  let database: TestDatabase;
  let store: Store;
  let clock: MovableClock;
  beforeEach(async () => {
    database = await createDatabase(engine);
    store = await openStore(database.url);
    clock = createMovableClock(new Date('2026-03-02T09:00:00Z'), { frozen: true });
  });
  afterEach(async () => {
    clock.dispose();
    await store.close();
    await database.drop();
  });
  const create = (isAlone = false) =>
    createPendingInteractions({ db: store.db, clock, log: createLogger('silent', []), isAlone });

  test('are each stored once, though many come at the same moment and some of them twice, to two processes', async () => {
    const processes = [create(), create()];
    const keys = Array.from({ length: 120 }, (_, index) => `click:${index}`);
    const results = await Promise.all(
      [...keys, ...keys].flatMap((key) => processes.map(async (one) => ({ key, kept: await one.store(clickOf(key)) }))),
    );
    const kept = results.filter((result) => result.kept === 'kept').map(({ key }) => key);
    expect(kept.toSorted()).toEqual(keys.toSorted());
    expect(results.filter((result) => result.kept === 'duplicate')).toHaveLength(3 * keys.length);
  });

  test('are carried out by another process once they are accepted, and only reported before, however often it dies', async () => {
    const pending = create();
    await pending.store(clickOf('click:refused'));
    await pending.store(clickOf('click:acknowledged'));
    await (
      await pending.accept('click:acknowledged')
    ).written;
    for (const time of ['09:03:00', '09:06:00']) {
      clock.moveTo(new Date(`2026-03-02T${time}Z`));
      const found = await create().claimAbandoned();
      expect(Object.fromEntries(found.map(({ key, isExpired: isOver }) => [key, isOver]))).toEqual({
        'click:refused': true,
        'click:acknowledged': false,
      });
    }
  });

  test('are all accepted, whatever their number', async () => {
    const pending = create();
    const keys = Array.from({ length: 9 }, (_, count) =>
      Array.from({ length: count }, (_each, index) => `click:${count}:${index}`),
    );
    for (const batch of keys) {
      await Promise.all(batch.map((key) => pending.store(clickOf(key))));
      await Promise.all(batch.slice(1).map(async (key) => (await pending.accept(key)).written));
    }
    clock.moveTo(new Date('2026-03-02T09:03:00Z'));
    const found = await create().claimAbandoned();
    const resumed = found.filter(({ isExpired }) => !isExpired).map(({ key }) => key);
    expect(resumed.toSorted()).toEqual(keys.flatMap((batch) => batch.slice(1)));
    expect(found).toHaveLength(keys.flat().length);
  });

  test('are not taken over as left behind while they are being stored, even if the process is alone', async () => {
    const pending = create(true);
    const storing = pending.store(clickOf('click:early'));
    const isStored = async () =>
      (await store.db.selectFrom('pendingInteractions').select('key').executeTakeFirst()) !== undefined;
    while (!(await isStored())) await nextTurn();
    expect(await pending.claimAbandoned()).toEqual([]);
    expect(await storing).toBe('kept');
  });

  test('are not taken over while they are being finished, though their lease has expired', async () => {
    const pending = create();
    await pending.store(clickOf('click:done'));
    const finishing = pending.finish('click:done');
    clock.moveTo(new Date('2026-03-02T11:00:00Z'));
    expect(await pending.claimAbandoned()).toEqual([]);
    await finishing;
    expect(await pending.claimAbandoned()).toEqual([]);
  });
});

test.for(whereThereIsPostgres())(
  'stored clicks and forms on %s are not carried out later if they were stored too late: the person saw a failure',
  async (engine) => {
    const database = await createDatabase(engine);
    const store = await openStore(database.url);
    const clock = createMovableClock(new Date('2026-03-02T09:00:00Z'), { frozen: true });
    const pending = createPendingInteractions({
      db: store.db,
      clock,
      log: createLogger('silent', []),
      isAlone: false,
    });
    const other = new Client({ connectionString: database.url });
    await other.connect();
    await other.query('begin; lock table pending_interactions in exclusive mode');
    expect(await pending.store(clickOf('click:late'))).toBe('failed');
    const submittedAgain = pending.store(clickOf('click:late'));
    await other.query('commit');
    expect(await submittedAgain).toBe('kept');
    await pending.finish('click:late');
    // It uses the same pool, after the one that was late.
    expect(await pending.store(clickOf('click:next'))).toBe('kept');
    const keys = () => store.db.selectFrom('pendingInteractions').select('key').execute();
    await expect.poll(keys).toEqual([{ key: 'click:next' }]);
    clock.moveTo(new Date('2026-03-02T09:30:00Z'));
    expect((await pending.claimAbandoned()).map(({ key }) => key)).toEqual([]);
    await other.end();
    clock.dispose();
    await store.close();
    await database.drop();
  },
);
