import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { declareNamedMessage } from '../../../src/core/outbox/message-kind.ts';
import { recordDeletedMessage } from '../../../src/core/outbox/past-deliveries.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const NOW = new Date('2026-03-02T09:00:00Z');
const card = declareNamedMessage({ name: 'limit-card', payload: z.object({ requestId: z.string() }) }, ['admins']);

describe.each(availableEngines())('the messages about a thing on %s', (engine) => {
  let database: TestDatabase;
  let store: Store;
  afterEach(async () => {
    await store.close();
    await database.drop();
  });
  const open = async () => {
    database = await createDatabase(engine);
    store = await openStore(database.url);
    const enqueue = (key: string, requestId: string, at = NOW) =>
      store.db
        .transaction()
        .execute((trx) => card.enqueue(trx, { key, to: 'C1', payload: { requestId }, about: requestId }, at));
    const set = (key: string, columns: { about?: null; state?: 'sent'; messageChannel?: string; messageTs?: string }) =>
      store.db.updateTable('deliveries').set(columns).where('key', '=', key).execute();
    return { enqueue, set };
  };

  test('are found by it, oldest first, with those that an older version has just written', async () => {
    const { enqueue, set } = await open();
    await enqueue('limit-card:k7m2x:U2', 'k7m2x', new Date(NOW.getTime() + 1_000));
    await enqueue('limit-card:k7m2x:channel', 'k7m2x');
    await enqueue('limit-card:other:channel', 'other');
    await set('limit-card:k7m2x:channel', { about: null });
    await set('limit-card:other:channel', { about: null });
    expect((await card.listAbout(store.db, 'k7m2x')).map(({ key }) => key)).toEqual([
      'limit-card:k7m2x:channel',
      'limit-card:k7m2x:U2',
    ]);
  });

  test('have failed once Slack reports that they no longer exist', async () => {
    const { enqueue, set } = await open();
    const key = 'limit-card:k7m2x:channel';
    await enqueue(key, 'k7m2x');
    await set(key, { state: 'sent', messageChannel: 'C1', messageTs: '1.1' });
    await store.db.transaction().execute((trx) => recordDeletedMessage(trx, key, NOW));
    expect(await card.find(store.db, key)).toMatchObject({ state: 'failed', messageTs: null });
  });
});
