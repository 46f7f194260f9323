import { describe, expect, onTestFinished, test } from 'vitest';
import { enqueue } from '../../support/outbox/enqueue.ts';
import { sendAgain } from '../../../src/core/outbox/past-deliveries.ts';
import { audit } from '../../../src/core/store/audit.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { DatabaseTransaction } from '../../../src/core/store/tables.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

const NOW = new Date('2026-03-02T07:00:00Z');

const putIn = (trx: DatabaseTransaction, key: string) =>
  enqueue(trx, { key, kind: 'test', channel: 'C1', payload: {}, dueAt: NOW }, NOW);

describe.each(availableEngines())('a write into a table (%s)', (engine) => {
  async function openWithEvents() {
    const database = await createDatabase(engine);
    onTestFinished(() => database.drop());
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    let events = 0;
    const stop = store.commits.onWrite('deliveries', 'dueAt', () => (events += 1));
    return { db: store.db, count: () => events, stop };
  }

  test('is announced once, when its transaction is committed', async () => {
    const { db, count } = await openWithEvents();
    await db.transaction().execute(async (trx) => {
      await putIn(trx, 'a');
      await putIn(trx, 'b');
      expect(count()).toBe(0);
    });
    expect(count()).toBe(1);
  });

  test('is not announced if its transaction is rolled back, nor with the next one', async () => {
    const { db, count } = await openWithEvents();
    const failing = db.transaction().execute(async (trx) => {
      await putIn(trx, 'a');
      throw new Error('The cause fell through');
    });
    await expect(failing).rejects.toThrow('The cause fell through');
    await db
      .transaction()
      .execute((trx) => audit(trx, { about: 'test', actor: 'U1', action: 'removed', detail: null }, NOW));
    expect(count()).toBe(0);
  });

  test('is announced when it becomes due once more, and not when something else of it changes', async () => {
    const { db, count } = await openWithEvents();
    await db.transaction().execute((trx) => putIn(trx, 'a'));
    await db.transaction().execute((trx) => trx.updateTable('deliveries').set({ state: 'failed' }).execute());
    expect(count()).toBe(1);
    await db.transaction().execute((trx) => sendAgain(trx, 'a', NOW, 'A user asked for it'));
    expect(count()).toBe(2);
  });

  test('is no longer announced to a listener that unsubscribed', async () => {
    const { db, count, stop } = await openWithEvents();
    stop();
    await db.transaction().execute((trx) => putIn(trx, 'a'));
    expect(count()).toBe(0);
  });

  test('is announced for each of many concurrent transactions', async () => {
    const { db, count } = await openWithEvents();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => db.transaction().execute((trx) => putIn(trx, `many:${index}`))),
    );
    expect(count()).toBe(20);
  });
});
