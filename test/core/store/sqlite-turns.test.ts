import { expect, onTestFinished, test } from 'vitest';
import { pauseWork } from '../../../src/core/base/time/turns.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { createDatabase } from '../../support/stores/databases.ts';

test('while requests arrive, a read waits, and a write that an acknowledgement may need does not', async () => {
  const database = await createDatabase('sqlite');
  const store = await openStore(database.url);
  const { db } = store;
  onTestFinished(async () => {
    await store.close();
    await database.drop();
  });
  pauseWork();
  const read = db.selectFrom('seenEvents').select('key').execute();
  await db.insertInto('seenEvents').values({ key: 'click:1', seenAt: '2026-03-02T07:00:00.000Z' }).execute();
  // Also if the write took longer to reach the disk than the read waited.
  expect(await read).toEqual([{ key: 'click:1' }]);
});
