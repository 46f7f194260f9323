import { afterEach, describe, expect, test } from 'vitest';
import { openStore } from '../../../src/core/store/database.ts';
import { createErasedPeople } from '../../../src/core/store/erased-people.ts';
import {
  areErasuresKnown,
  beat,
  isStoreInUse,
  recordErasuresRead,
  recordStop,
} from '../../../src/core/store/health/heartbeat.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { availableEngines, createEmptyDatabase, type TestDatabase } from '../../support/stores/databases.ts';

let database: TestDatabase;
let store: Store;
afterEach(async () => {
  await store.close();
  await database.drop();
});

async function erase(id: string): Promise<void> {
  const at = '2026-03-02T09:00:00.000Z';
  const row = { id, state: 'asked' as const, pseudonyms: '{}', identifiers: null, askedBy: 'operator' };
  await store.db
    .insertInto('erasures')
    .values({ ...row, askedAt: at, nextAt: at, finishedAt: null })
    .execute();
}

describe.each(availableEngines())('an erasure on %s', (engine) => {
  test('is known when each running process has read it; one that stopped properly is not waited for', async () => {
    database = await createEmptyDatabase(engine);
    store = await openStore(database.url);
    const { db } = store;
    const erased = createErasedPeople(db);
    const [one, other] = [{ process: 'one' }, { process: 'other' }];
    expect(await areErasuresKnown(db)).toBe(true);
    await beat(store, one, () => erased.refresh());
    await beat(store, other, () => erased.refresh());
    await erase('k7m2');
    expect(await areErasuresKnown(db)).toBe(false);
    await beat(store, one, () => erased.refresh());
    expect(await areErasuresKnown(db)).toBe(false);
    await recordErasuresRead(db, 'other', await erased.refresh());
    expect(await areErasuresKnown(db)).toBe(true);
    await erase('x9w4');
    await beat(store, one, () => erased.refresh());
    await recordStop(db, 'other');
    expect(await areErasuresKnown(db)).toBe(true);
    expect(await isStoreInUse(db)).toBe(true);
    await recordStop(db, 'one');
    expect(await isStoreInUse(db)).toBe(false);
    await beat(store, one, () => erased.refresh());
    expect(await isStoreInUse(db)).toBe(true);
  });
});
