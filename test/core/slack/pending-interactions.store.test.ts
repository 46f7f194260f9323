import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../../src/core/base/log.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import {
  createPendingInteractions,
  type PendingInteractions,
} from '../../../src/core/slack/inbound/pending-interactions.ts';
import { createTurnTaking } from '../../../src/core/slack/inbound/seen-events.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { type Store } from '../../../src/core/store/store.ts';
import {
  availableEngines,
  createDatabase,
  whereThereIsPostgres,
  type TestDatabase,
} from '../../support/stores/databases.ts';

const clickOf = (interaction: string) => ({ interaction, kind: 'click' as const, payload: {} });

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

  /** Stores a click, as before its acknowledgement. */
  const stored = async (pending: PendingInteractions, interaction: string) => {
    const key = await pending.store(clickOf(interaction));
    if (key === undefined) throw new Error(`${interaction} was not stored`);
    return key;
  };
  const accepted = async (pending: PendingInteractions, interaction: string) => {
    const key = await stored(pending, interaction);
    await (
      await pending.accept(key)
    ).written;
    return key;
  };
  const rows = () => store.db.selectFrom('pendingInteractions').selectAll().execute();
  const afterTheLease = () => clock.moveTo(new Date(clock.now().getTime() + 3 * 60_000));

  test('are each stored by each process that gets them, though many come at the same moment and some of them twice', async () => {
    const processes = [create(), create()];
    const clicks = Array.from({ length: 120 }, (_, index) => `click:${index}`);
    const keys = await Promise.all(
      [...clicks, ...clicks].flatMap((click) => processes.map((one) => stored(one, click))),
    );
    expect(new Set(keys).size).toBe(4 * clicks.length);
    expect((await rows()).map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
  });

  test('are carried out once after the death of two processes that acknowledged them', async () => {
    const [first, second] = [create(), create()];
    await accepted(first, 'click:twice');
    await accepted(second, 'click:twice');
    afterTheLease();
    const found = await Promise.all([create().claimAbandoned(), create().claimAbandoned()]);
    expect(found.flat()).toMatchObject([{ interaction: 'click:twice', isExpired: false }]);
    expect(await rows()).toHaveLength(1);
  });

  test('are carried out, and not reported, if one of two dead processes acknowledged them', async () => {
    await stored(create(), 'click:once');
    await accepted(create(), 'click:once');
    afterTheLease();
    expect(await create().claimAbandoned()).toMatchObject([{ interaction: 'click:once', isExpired: false }]);
    expect(await rows()).toHaveLength(1);
  });

  test.each(['accepted', 'only stored'])(
    'are left alone if they were %s by a process that died, and another process carries them out',
    async (how) => {
      const takeTurn = createTurnTaking({ db: store.db, clock });
      await (how === 'accepted' ? accepted : stored)(create(), 'click:elsewhere');
      const second = create();
      const key = await accepted(second, 'click:elsewhere');
      expect(await takeTurn('click:elsewhere', key)).toBe(true);
      await second.finish(key);
      afterTheLease();
      expect(await create().claimAbandoned()).toEqual([]);
      expect(await rows()).toEqual([]);
    },
  );

  test('are carried out by the process that asks first, and by the next one after its death', async () => {
    const [takeTurn, takeOther] = [
      createTurnTaking({ db: store.db, clock }),
      createTurnTaking({ db: store.db, clock }),
    ];
    const [first, second] = [create(), create()];
    const key = await accepted(first, 'click:both');
    const other = await accepted(second, 'click:both');
    const turns = await Promise.all([takeTurn('click:both', key), takeOther('click:both', other)]);
    expect(turns.filter(Boolean)).toHaveLength(1);
    afterTheLease();
    // The one that is carried out is continued; the other is not, although its process died too.
    const found = await create().claimAbandoned();
    expect(found.map((one) => one.key)).toEqual([turns[0] ? key : other]);
  });

  test('are forgotten at once if they could not be acknowledged, and do not affect the other process', async () => {
    const [first, second] = [create(), create()];
    const refusedKey = await accepted(first, 'click:cut');
    const key = await accepted(second, 'click:cut');
    await first.refuse(refusedKey);
    expect((await rows()).map((row) => row.key)).toEqual([key]);
    expect(await createTurnTaking({ db: store.db, clock })('click:cut', key)).toBe(true);
  });

  test('of version 0.2.0, which has one row for all arrivals, are resumed, unless this version carried them out', async () => {
    const row = { kind: 'click' as const, payload: '{}', receivedAt: '2026-03-02T08:59:00.000Z', attempts: 1 };
    const old = (key: string) => ({ ...row, key, interaction: null, leasedUntil: '2026-03-02T08:59:30.000Z' });
    await store.db
      .insertInto('pendingInteractions')
      .values([old('click:a'), old('click:b'), old('click:c')])
      .execute();
    const seenAt = '2026-03-02T08:59:00.000Z';
    await store.db.insertInto('seenEvents').values({ key: 'click:b', seenAt }).execute();
    await createTurnTaking({ db: store.db, clock })('click:c', 'of this version');
    const found = await create().claimAbandoned();
    expect(found.map(({ interaction }) => interaction).toSorted()).toEqual(['click:a', 'click:b']);
  });

  test('are carried out by another process once they are accepted, and only reported before, however often it dies', async () => {
    const pending = create();
    await stored(pending, 'click:offered');
    await accepted(pending, 'click:acknowledged');
    for (const time of ['09:03:00', '09:06:00']) {
      clock.moveTo(new Date(`2026-03-02T${time}Z`));
      const found = await create().claimAbandoned();
      expect(Object.fromEntries(found.map(({ interaction, isExpired }) => [interaction, isExpired]))).toEqual({
        'click:offered': true,
        'click:acknowledged': false,
      });
    }
  });

  test('are all accepted, whatever their number', async () => {
    const pending = create();
    const clicks = Array.from({ length: 9 }, (_, count) =>
      Array.from({ length: count }, (_each, index) => `click:${count}:${index}`),
    );
    for (const batch of clicks) {
      const stored = await Promise.all(batch.map((click) => pending.store(clickOf(click))));
      await Promise.all(stored.slice(1).map(async (key = '') => (await pending.accept(key)).written));
    }
    clock.moveTo(new Date('2026-03-02T09:03:00Z'));
    const found = await create().claimAbandoned();
    const resumed = found.filter(({ isExpired }) => !isExpired).map(({ interaction }) => interaction);
    expect(resumed.toSorted()).toEqual(clicks.flatMap((batch) => batch.slice(1)).toSorted());
    expect(found).toHaveLength(clicks.flat().length);
  });

  test('are not taken over as left behind while they are being stored, even if the process is alone', async () => {
    const pending = create(true);
    const storing = pending.store(clickOf('click:early'));
    const isStored = async () =>
      (await store.db.selectFrom('pendingInteractions').select('key').executeTakeFirst()) !== undefined;
    while (!(await isStored())) await nextTurn();
    expect(await pending.claimAbandoned()).toEqual([]);
    expect(await storing).toBeDefined();
  });

  test('are not taken over while they are being finished, though their lease has expired', async () => {
    const pending = create();
    const finishing = pending.finish(await stored(pending, 'click:done'));
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
    expect(await pending.store(clickOf('click:late'))).toBeUndefined();
    const submittedAgain = pending.store(clickOf('click:late'));
    await other.query('commit');
    await pending.finish((await submittedAgain) ?? '');
    // It uses the same pool, after the one that was late.
    expect(await pending.store(clickOf('click:next'))).toBeDefined();
    const left = () => store.db.selectFrom('pendingInteractions').select('interaction').execute();
    await expect.poll(left).toEqual([{ interaction: 'click:next' }]);
    clock.moveTo(new Date('2026-03-02T09:30:00Z'));
    expect((await pending.claimAbandoned()).map(({ interaction }) => interaction)).toEqual([]);
    await other.end();
    clock.dispose();
    await store.close();
    await database.drop();
  },
);
