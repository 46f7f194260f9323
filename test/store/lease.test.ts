import { afterEach, expect, test, vi } from 'vitest';
import { sql } from 'kysely';
import { openStore } from '../../src/store/database.ts';
import { leaseHolds, leaseIsOver, readStoreNow, storeNow } from '../../src/store/lease.ts';
import { availableEngines, createDatabase } from '../support/stores/databases.ts';

const HOUR_MS = 60 * 60_000;

afterEach(() => {
  vi.useRealTimers();
});

test.each(availableEngines())('on %s no change of the wall clock of this machine ends a lease', async (engine) => {
  const database = await createDatabase(engine);
  const store = await openStore(database.url);
  try {
    const { db } = store;
    await sql`create table held (leased_until text)`.execute(db);
    await sql`insert into held values (${storeNow(db, 60_000)})`.execute(db);
    const before = await readStoreNow(db);
    for (const jumpMs of [HOUR_MS, -HOUR_MS]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + jumpMs });
      const held = await sql<{ n: unknown }>`select count(*) as n from held where ${leaseHolds(db)}`.execute(db);
      const over = await sql<{ n: unknown }>`select count(*) as n from held where ${leaseIsOver(db)}`.execute(db);
      expect([Number(held.rows[0]?.n), Number(over.rows[0]?.n)]).toEqual([1, 0]);
      expect(Math.abs((await readStoreNow(db)).getTime() - before.getTime())).toBeLessThan(30_000);
      vi.useRealTimers();
    }
  } finally {
    await store.close();
    await database.drop();
  }
});
