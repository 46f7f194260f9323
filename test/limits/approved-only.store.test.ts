import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/database.ts';
import { type Store } from '../../src/store/store.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../support/stores/databases.ts';
import { playLimits } from '../support/limits/limit-model.ts';
import { limitScripts } from '../support/limits/limit-scripts.ts';

describe.each(availableEngines())('on %s', (engine) => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await createDatabase(engine);
    store = await openStore(database.url);
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  test('a limit is set only after another person approved its value, or a limit afterwards of at least that value', async () => {
    let set = 0;
    await fc.assert(
      fc.asyncProperty(limitScripts, async (script) => {
        const { puts, approvals } = await playLimits(store.db, script);
        set += puts.length;
        for (const { email, limit } of puts) {
          const fits = approvals.some(
            (one) =>
              one.email === email &&
              one.by !== email &&
              (one.value === limit || (one.back !== null && limit <= one.back)),
          );
          expect(fits, `${email} was set to ${limit}`).toBe(true);
        }
      }),
      { numRuns: engine === 'sqlite' ? 60 : 15 },
    );
    // Otherwise the property would hold trivially.
    expect(set).toBeGreaterThan(0);
  }, 120_000);
});
