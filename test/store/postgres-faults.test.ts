import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { judgeStore, readStore } from '../../src/doctor/store.ts';
import { openStore } from '../../src/store/database.ts';
import { type Store } from '../../src/store/store.ts';
import { beat } from '../../src/store/heartbeat.ts';
import { judgeAllowance } from '../../src/store/engines/postgres-allowance.ts';
import { isStoreFault } from '../../src/store/engines/store-fault.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../support/stores/databases.ts';
import { startFreezingProxy, type FreezingProxy } from '../support/stores/freezing-proxy.ts';

const ME = { process: 'this one', since: new Date() };
/** More than any bound of the store: whatever takes longer waits for ever. */
const PATIENCE_MS = 14_000;

describe.runIf(availableEngines().includes('postgres'))('a Postgres', () => {
  let database: TestDatabase;
  let proxy: FreezingProxy | undefined;
  let store: Store;
  const open = async () => {
    database = await createDatabase('postgres');
    proxy = await startFreezingProxy(database.url);
    store = await openStore(proxy.url);
    // All of its connections are open, so that all of them are hit.
    await Promise.all(Array.from({ length: 8 }, () => sql`select pg_sleep(0.1)`.execute(store.db)));
  };
  afterEach(async () => {
    await store?.close();
    await proxy?.close();
    await database.drop();
  });
  const timed = async (run: () => Promise<unknown>) => {
    const startedMs = performance.now();
    const failure = await run().then(
      () => undefined,
      (error: unknown) => error,
    );
    return { failure, tookMs: performance.now() - startedMs };
  };
  const ask = () => sql`select 1`.execute(store.db);

  test('whose network swallows what is under way costs that alone: the next question gets a new connection', async () => {
    await open();
    proxy?.freeze('existing');
    const asked = await timed(() => store.db.transaction().execute((trx) => sql`select 1`.execute(trx)));
    expect(isStoreFault(asked.failure)).toBe(true);
    expect(asked.tookMs).toBeLessThan(PATIENCE_MS);
    const next = await timed(ask);
    expect(next).toMatchObject({ failure: undefined });
    expect(next.tookMs).toBeLessThan(2_000);
  }, 30_000);

  test('whose network swallows everything is told as that, and used again as soon as the network is back', async () => {
    await open();
    proxy?.freeze('all');
    const [asked, health] = await Promise.all([timed(ask), beat(store, ME)]);
    expect(isStoreFault(asked.failure)).toBe(true);
    expect(health).toMatchObject({ kind: 'unwell', sentence: expect.stringContaining('does not answer') });
    proxy?.thaw();
    const next = await timed(ask);
    expect(next).toMatchObject({ failure: undefined });
    expect(next.tookMs).toBeLessThan(2_000);
  }, 30_000);

  test('ends by itself what nobody goes on with, on every connection', async () => {
    await open();
    const bounds = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    for (const name of bounds) {
      const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(store.db);
      expect({ name, seconds: Number.parseInt(rows[0]?.value ?? '', 10) }).toEqual({
        name,
        seconds: expect.any(Number),
      });
      expect(rows[0]?.value).not.toBe('0');
    }
  });

  test('that is emptied or replaced while it is used is told in one sentence', async () => {
    await open();
    expect(await beat(store, ME)).toEqual({ kind: 'well', isShared: false });
    await sql`update store_identity set id = 'another'`.execute(store.db);
    expect(await beat(store, ME)).toMatchObject({
      kind: 'gone',
      sentence: expect.stringContaining('emptied or replaced'),
    });
    await sql`drop schema public cascade`.execute(store.db);
    await sql`create schema public`.execute(store.db);
    const { kind } = await beat(store, ME);
    expect(kind).toBe('gone');
  });

  test('that lets its user open too few connections is refused with a sentence, by the program and the doctor', async () => {
    await open();
    const role = `few_${Date.now()}`;
    await onServer(`create role ${role} login connection limit 3`);
    const url = new URL(database.url);
    url.username = role;
    const sentence =
      'The user in DATABASE_URL may open 3 connections, and a process of Quartermaster needs 8: raise its CONNECTION LIMIT.';
    await expect(openStore(url.href)).rejects.toThrow(sentence);
    await onServer(`grant all on schema public to ${role}`, database.url);
    await onServer(`grant all on all tables in schema public to ${role}`, database.url);
    expect(judgeStore(await readStore(url.href))).toMatchObject({ level: 'fault', sentence });
    await onServer(`drop owned by ${role}`, database.url);
    await onServer(`drop role ${role}`);
  });
});

async function onServer(statement: string, url = inject('postgresUrl')): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

test('how many connections a process needs is held against every limit', () => {
  const free = { server: 97, database: -1, user: -1 };
  expect(judgeAllowance(free)).toBeUndefined();
  expect(judgeAllowance({ ...free, user: 8 })).toBeUndefined();
  expect(judgeAllowance({ ...free, user: 7 })).toContain('The user in DATABASE_URL may open 7 connections');
  expect(judgeAllowance({ ...free, database: 0 })).toContain('The database in DATABASE_URL takes 0 connections');
  expect(judgeAllowance({ ...free, server: 5 })).toContain('raise max_connections');
});
