import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { openStore } from '../../../src/core/store/database.ts';
import { type Store } from '../../../src/core/store/store.ts';
import { beat } from '../../../src/core/store/health/heartbeat.ts';
import { isStoreFault } from '../../../src/core/store/engines/store-fault.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';
import { startFreezingProxy, type FreezingProxy } from '../../support/stores/freezing-proxy.ts';

const ME = { process: 'this one', since: new Date() };
/** More than any timeout of the store: a longer wait never ends. */
const PATIENCE_MS = 14_000;

describe.runIf(availableEngines().includes('postgres'))('a Postgres behind a network', () => {
  let database: TestDatabase;
  let proxy: FreezingProxy | undefined;
  let store: Store;
  const open = async () => {
    database = await createDatabase('postgres');
    proxy = await startFreezingProxy(database.url);
    store = await openStore(proxy.url);
    // All of its connections are open, so that all of them are affected.
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

  test('whose network swallows a request loses that one alone: the next query gets a new connection', async () => {
    await open();
    proxy?.freeze('existing');
    const asked = await timed(() => store.db.transaction().execute((trx) => sql`select 1`.execute(trx)));
    expect(isStoreFault(asked.failure)).toBe(true);
    expect(asked.tookMs).toBeLessThan(PATIENCE_MS);
    const next = await timed(ask);
    expect(next).toMatchObject({ failure: undefined });
    expect(next.tookMs).toBeLessThan(2_000);
  }, 120_000);

  test('whose network swallows everything is reported as unreachable, and used again as soon as the network is back', async () => {
    await open();
    proxy?.freeze('all');
    const [asked, health] = await Promise.all([timed(ask), beat(store, ME)]);
    expect(isStoreFault(asked.failure)).toBe(true);
    expect(health).toMatchObject({ kind: 'unwell', sentence: expect.stringContaining('does not answer') });
    proxy?.thaw();
    const next = await timed(ask);
    expect(next).toMatchObject({ failure: undefined });
    expect(next.tookMs).toBeLessThan(2_000);
  }, 120_000);
});
