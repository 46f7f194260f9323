import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enqueue } from '../support/outbox/enqueue.ts';
import { openStore } from '../../src/store/database.ts';
import { delivered, until } from '../support/digests.ts';
import { createDatabase, type TestDatabase } from '../support/stores/databases.ts';
import { eventually, inTime } from '../support/waiting.ts';

const NOW = new Date('2026-03-02T09:00:00Z');
let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase('sqlite');
  const store = await openStore(database.url);
  const keys = Array.from({ length: 30 }, (_, index) => `card:${index}`);
  await store.db.transaction().execute(async (trx) => {
    for (const key of keys) await enqueue(trx, { key, kind: 'test', channel: 'C1', payload: {}, dueAt: NOW }, NOW);
  });
  await store.close();
});
afterAll(() => database.drop());

const faultOf = (wait: Promise<unknown>) =>
  wait.then(
    () => 'none',
    (error: unknown) => String(error),
  );

// A wait takes two thirds of what its test may.
describe('a wait in vain ends before its test does', { timeout: 6_000 }, () => {
  test('and says which delivery was awaited, and which are there', async () => {
    const fault = await faultOf(delivered({ databaseUrl: database.url }, 'notice:7'));
    expect(fault).toContain('Waited 4 s in vain for a delivery that is sent and has “notice:7” in its key');
    expect(fault.match(/card:\d+ waiting \(no reason\)/g)).toHaveLength(20);
  });

  test('and says which question had no answer', async () => {
    const wait = until({ databaseUrl: database.url }, (db) =>
      db.selectFrom('deliveries').select('key').where('kind', '=', 'notice').executeTakeFirst(),
    );
    expect(await faultOf(wait)).toMatch(/\.where\(["']kind["'], ["']=["'], ["']notice["']\)/);
  });

  test('also where no database is asked', async () => {
    expect(await faultOf(eventually(() => undefined, 'a line'))).toBe('Error: Waited 4 s in vain for a line');
    expect(await faultOf(eventually(() => 'it', 'a line'))).toBe('none');
  });

  test('and where nobody asks', async () => {
    const silence = Promise.withResolvers<void>().promise;
    expect(await faultOf(inTime(silence, () => 'a word'))).toBe('Error: Waited 4 s in vain for a word');
    expect(await faultOf(inTime(Promise.resolve(), 'a word'))).toBe('none');
  });
});
