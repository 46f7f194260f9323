import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/database.ts';
import { type Store } from '../../src/store/store.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../support/stores/databases.ts';
import { playLimits, type Step } from '../support/limits/limit-model.ts';

const person = fc.nat(5);
const admin = fc.constantFrom(4, 5);
const percent = fc.constantFrom(0, 10, 50, 99, 100);
const three = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { minLength: 3, maxLength: 3 });

const ask: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('ask' as const),
  by: person,
  people: fc.uniqueArray(person, { minLength: 1, maxLength: 3 }),
  amount: fc.nat(1_000),
  days: fc.constantFrom(0, 1, 2, 5),
  back: fc.constantFrom(-1, 0, 50, 400, 900, 5_000),
});
const approve: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('approve' as const),
  by: admin,
  request: fc.nat(5),
  lowered: three(percent),
  leftOut: three(fc.boolean()),
  backs: three(percent),
  most: fc.constantFrom(-1, -1, 0, 300),
});
const other: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('deny' as const, 'withdraw' as const, 'retry' as const),
    by: admin,
    request: fc.nat(5),
  }),
  fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 12, 30) }),
  fc.record({
    kind: fc.constant('mood' as const),
    mood: fc.constantFrom('refuses' as const, 'lost' as const, 'busy' as const, 'dead' as const),
  }),
  fc.record({
    kind: fc.constant('crash' as const),
    step: fc.constantFrom(
      'limits:before_decision' as const,
      'limits:after_decision' as const,
      'limits:after_claim' as const,
      'limits:before_put' as const,
      'limits:after_put' as const,
      'limits:after_record' as const,
      'limits:before_finish' as const,
    ),
  }),
);
const entries = fc.array(
  fc.oneof({ weight: 3, arbitrary: ask }, { weight: 4, arbitrary: approve }, { weight: 3, arbitrary: other }),
  {
    minLength: 3,
    maxLength: 14,
  },
);

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

  test('nothing is ever set that no approval by somebody else names: its value, or at most what it showed to go back to', async () => {
    let set = 0;
    await fc.assert(
      fc.asyncProperty(entries, async (script) => {
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
    // Otherwise the property held of nothing.
    expect(set).toBeGreaterThan(0);
  }, 120_000);
});
