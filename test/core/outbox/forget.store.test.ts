import { describe, expect, onTestFinished, test } from 'vitest';
import type { DeliveryKind } from '../../../src/core/outbox/attempts/delivery-outcomes.ts';
import { enqueue } from '../../support/outbox/enqueue.ts';
import { enqueueAll, enqueueSkipped, type NewDelivery } from '../../../src/core/outbox/deliveries.ts';
import type { DeliveryState } from '../../../src/core/outbox/delivery-table.ts';
import { deliveryRetention } from '../../../src/core/outbox/forget.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { type Engine } from '../../../src/core/store/store.ts';
import { availableEngines, createDatabase, whereThereIsPostgres } from '../../support/stores/databases.ts';

const LONG_AGO = new Date('2026-01-20T08:00:00Z');
const BEFORE = new Date('2026-03-01T00:00:00Z');
const NOW = new Date('2026-05-30T08:00:00Z');

const delivery = (key: string, dueAt = LONG_AGO): NewDelivery => ({
  key,
  kind: 'digest',
  channel: 'C1',
  payload: {},
  dueAt,
});

async function open(engine: Engine, kinds: Record<string, Pick<DeliveryKind, 'keysStillReferenced'>> = {}) {
  const database = await createDatabase(engine);
  const store = await openStore(database.url);
  onTestFinished(async () => {
    await store.close();
    await database.drop();
  });
  const { db } = store;
  const prepare: DeliveryKind['prepare'] = () => Promise.reject(new Error('Nothing is posted here'));
  const whole = Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, { prepare, ...kind }]));
  return {
    db,
    add: (key: string, state: DeliveryState, at = LONG_AGO) =>
      db.transaction().execute(async (trx) => {
        await enqueue(trx, delivery(key, at), at);
        const times = { nextAttemptAt: at.toISOString(), ...(state === 'sent' ? { sentAt: at.toISOString() } : {}) };
        await trx
          .updateTable('deliveries')
          .set({ state, ...times })
          .where('key', '=', key)
          .execute();
      }),
    again: (key: string) => db.transaction().execute((trx) => enqueue(trx, delivery(key), NOW)),
    keys: async () => (await db.selectFrom('deliveries').select('key').orderBy('key').execute()).map(({ key }) => key),
    prune: async () => {
      let rows = 0;
      for await (const deleted of deliveryRetention(whole).prune(db, BEFORE)) rows += deleted;
      return rows;
    },
  };
}

describe.each(availableEngines())('deliveries past their retention, on %s', (engine) => {
  test('are deleted with their history once they have ended, and no others', async () => {
    const { db, add, keys, prune } = await open(engine);
    for (const state of ['sent', 'skipped', 'failed', 'waiting', 'unknown'] as const) await add(`old-${state}`, state);
    await add('new-sent', 'sent', NOW);
    expect(await prune()).toBe(3);
    expect(await keys()).toEqual(['new-sent', 'old-unknown', 'old-waiting']);
    const history = await db.selectFrom('deliveryHistory').select('deliveryKey').distinct().execute();
    expect(history.map(({ deliveryKey: key }) => key).toSorted()).toEqual(['new-sent', 'old-unknown', 'old-waiting']);
    expect(await prune()).toBe(0);
  });

  test('are never put into the outbox again', async () => {
    const { db, add, again, keys, prune } = await open(engine);
    await add('digest:settings:2026-01-20', 'sent');
    await prune();
    expect(await again('digest:settings:2026-01-20')).toBe(false);
    await db
      .transaction()
      .execute((trx) => enqueueSkipped(trx, delivery('digest:settings:2026-01-20'), NOW, 'Too late.'));
    const both = [delivery('digest:settings:2026-01-20'), delivery('digest:settings:2026-05-30')];
    const added = await db.transaction().execute((trx) => enqueueAll(trx, both, NOW));
    expect([...added]).toEqual(['digest:settings:2026-05-30']);
    expect(await keys()).toEqual(['digest:settings:2026-05-30']);
    const steps = await db.selectFrom('deliveryHistory').select('deliveryKey').execute();
    expect(steps).toEqual([{ deliveryKey: 'digest:settings:2026-05-30' }]);
  });

  test('stay while a feature refers to them, even if many others are deleted', async () => {
    const needed = new Set(['key-120', 'key-007']);
    const { add, keys, prune } = await open(engine, { digest: { keysStillReferenced: () => Promise.resolve(needed) } });
    for (let number = 0; number < 210; number += 1) await add(`key-${String(number).padStart(3, '0')}`, 'sent');
    expect(await prune()).toBe(208);
    expect(await keys()).toEqual(['key-007', 'key-120']);
  });
});

describe.each(whereThereIsPostgres())('on %s, a delivery that is deleted while it is enqueued', (engine) => {
  test('is not posted a second time', async () => {
    const { db, add, again, keys } = await open(engine);
    await add('digest:settings:2026-01-20', 'sent');
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const { promise: deleted, resolve: noteDeleted } = Promise.withResolvers<void>();
    const deleting = db.transaction().execute(async (trx) => {
      await trx.deleteFrom('deliveries').where('key', '=', 'digest:settings:2026-01-20').execute();
      noteDeleted();
      await gate;
      const { hashOfKey } = await import('../../../src/core/outbox/deleted-keys.ts');
      await trx
        .insertInto('forgottenDeliveries')
        .values({ keyHash: hashOfKey('digest:settings:2026-01-20') })
        .execute();
    });
    await deleted;
    // It waits for the end of the other transaction.
    const enqueuing = again('digest:settings:2026-01-20');
    release();
    await deleting;
    expect(await enqueuing).toBe(false);
    expect(await keys()).toEqual([]);
  });
});
