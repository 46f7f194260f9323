import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { judgeStore, readStore } from '../../../src/programs/doctor/examine-store.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { type Store } from '../../../src/core/store/store.ts';
import { beat } from '../../../src/core/store/health/heartbeat.ts';
import { judgeAllowance } from '../../../src/core/store/engines/postgres-allowance.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const ME = { process: 'this one', since: new Date() };

describe.runIf(availableEngines().includes('postgres'))('a Postgres', () => {
  let database: TestDatabase;
  let store: Store;
  const open = async () => {
    database = await createDatabase('postgres');
    store = await openStore(database.url);
    // All of its connections are open, so that all of them are affected.
    await Promise.all(Array.from({ length: 8 }, () => sql`select pg_sleep(0.1)`.execute(store.db)));
  };
  afterEach(async () => {
    await store?.close();
    await database.drop();
  });

  test('ends abandoned transactions by itself, on every connection', async () => {
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

  test('that is emptied or replaced while it is used is reported in one sentence', async () => {
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

  test('that allows its user too few connections is refused with a sentence, by the program and the doctor', async () => {
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
    expect(judgeStore(await readStore(url.href, new Date()))).toMatchObject({ level: 'fault', sentence });
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

test('the number of connections of a process is compared with every limit', () => {
  const free = { server: 97, database: -1, user: -1 };
  expect(judgeAllowance(free)).toBeUndefined();
  expect(judgeAllowance({ ...free, user: 8 })).toBeUndefined();
  expect(judgeAllowance({ ...free, user: 7 })).toContain('The user in DATABASE_URL may open 7 connections');
  expect(judgeAllowance({ ...free, database: 0 })).toContain('The database in DATABASE_URL takes 0 connections');
  expect(judgeAllowance({ ...free, server: 5 })).toContain('raise max_connections');
});
