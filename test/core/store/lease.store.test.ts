import { afterEach, expect, test, vi } from 'vitest';
import { sql } from 'kysely';
import { openStore } from '../../../src/core/store/database.ts';
import { leaseHolds, leaseIsOver, readStoreNow, storeNow } from '../../../src/core/store/lease.ts';
import { beat, isStoreInUse } from '../../../src/core/store/health/heartbeat.ts';
import { STORE_TIME_COLUMNS } from '../../../src/core/store/health/moved-clock.ts';
import { COLUMN_NAMES } from '../../../src/core/store/tables.ts';
import { claimNext } from '../../../src/core/outbox/attempts/claim.ts';
import { typeScriptFiles } from '../../repository/parsing/sources.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

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
      const over = await sql<{ n: unknown }>`select count(*) as n from held where ${leaseIsOver(db, 60_000)}`.execute(
        db,
      );
      expect([Number(held.rows[0]?.n), Number(over.rows[0]?.n)]).toEqual([1, 0]);
      expect(Math.abs((await readStoreNow(db)).getTime() - before.getTime())).toBeLessThan(30_000);
      vi.useRealTimers();
    }
  } finally {
    await store.close();
    await database.drop();
  }
});

test.each(availableEngines())('on %s a lease that ends later than a lease from now is over', async (engine) => {
  const database = await createDatabase(engine);
  const store = await openStore(database.url);
  try {
    const { db } = store;
    await sql`create table held (name text, leased_until text)`.execute(db);
    await sql`insert into held values ('fresh', ${storeNow(db, 60_000)}), ('ahead', ${storeNow(db, 3 * HOUR_MS)})`.execute(
      db,
    );
    const over = await sql<{ name: string }>`select name from held where ${leaseIsOver(db, 60_000)}`.execute(db);
    expect(over.rows).toEqual([{ name: 'ahead' }]);
  } finally {
    await store.close();
    await database.drop();
  }
});

test('a clock that was ahead once delays nothing in a store on sqlite, and is reported once', async () => {
  const database = await createDatabase('sqlite');
  let aheadMs = 3 * HOUR_MS;
  const start = new Date('2026-03-02T09:00:00Z');
  const open = () => openStore(database.url, undefined, () => new Date(start.getTime() + aheadMs));
  try {
    const ahead = await open();
    await beat(ahead, { process: 'ahead' });
    const at = (await readStoreNow(ahead.db)).toISOString();
    const row = { payload: '{}', kind: 'digest', dueAt: at, createdAt: at, attempts: 1 };
    const waiting = { ...row, key: 'waiting', channel: 'C1', state: 'waiting' as const, nextAttemptAt: at };
    const posting = { ...waiting, key: 'posting', channel: 'C2', state: 'posting' as const };
    await ahead.db
      .insertInto('deliveries')
      .values([
        { ...waiting, channelRestsUntil: at },
        { ...posting, leasedBy: 'ahead', leasedUntil: at, lastPostingAt: at },
      ])
      .execute();
    await ahead.close();

    aheadMs = 0;
    const right = await open();
    expect(right.warnings).toEqual([expect.stringContaining('The clock was 180 minutes ahead')]);
    expect(await isStoreInUse(right.db)).toBe(false);
    const claimed = [
      await claimNext(right.db, 'sqlite', 'right', 60_000),
      await claimNext(right.db, 'sqlite', 'right', 60_000),
    ];
    expect(new Set(claimed.map((delivery) => delivery?.key))).toEqual(new Set(['posting', 'waiting']));
    await beat(right, { process: 'right' });
    await right.close();
    const later = await open();
    expect(later.warnings).toEqual([]);
    await later.close();
  } finally {
    await database.drop();
  }
});

test('every column that the store’s clock writes is corrected after a moved clock', () => {
  const written = typeScriptFiles('src').flatMap(({ text }) =>
    [...text.matchAll(/\b([a-zA-Z]+): (?:sql<string>`.*)?storeNow\(/g)].map(([, column = '']) =>
      COLUMN_NAMES.toStored(column),
    ),
  );
  expect(written.length).toBeGreaterThan(10);
  // Nothing waits for the time at which a process stopped.
  const known = new Set<string | undefined>([...STORE_TIME_COLUMNS, 'stopped_at']);
  expect(written.filter((column) => !known.has(column))).toEqual([]);
});
