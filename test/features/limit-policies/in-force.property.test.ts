import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withPolicies } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { startInForcePlay, type InForceStep } from './in-force-model.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const kind = <Kind extends string>(...kinds: Kind[]) => fc.constantFrom(...kinds);
const member = fc.integer({ min: 1, max: 4 });
const amount = fc.constantFrom(400, 700, 1_000, 1_200, 1_500, 2_000, 3_000);
const answers = kind('shows', 'shows', 'shows', 'gone', 'refuses', 'breaks');
const request = fc.nat({ max: 3 });
const asks = fc.record({ kind: kind('ask'), member, amount, hours: fc.constantFrom(null, null, 5, 30) });
const approvals = fc.record({
  kind: kind('approve'),
  request,
  meanwhile: fc.option(amount, { freq: 5, nil: null }),
});

const step: fc.Arbitrary<InForceStep> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: kind('answers'), answers }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('answers_later'), answers, calls: fc.nat({ max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('elsewhere'), member, value: fc.option(amount, { nil: null }) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('everybody'), value: fc.option(amount, { nil: null }) }) },
  { weight: 5, arbitrary: asks },
  { weight: 2, arbitrary: fc.record({ kind: kind('remove'), member }) },
  { weight: 5, arbitrary: approvals },
  { weight: 2, arbitrary: fc.record({ kind: kind('retry', 'undo'), request }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('put'), outcome: kind('lost_before', 'lost_after', 'refused') }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('declare'), isDeclared: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('wait'), hours: fc.constantFrom(0, 1, 6, 25, 31) }) },
);

describe('a platform that begins and stops to show limits during requests, approvals, raises and policies', () => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await createDatabase('sqlite');
    store = await openStore(database.url);
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  test('no limit is lowered unseen, removed or set without a reading, and each change is told once', async () => {
    const counts = { puts: 0, removals: 0, wantedRemovals: 0, held: 0, told: 0, grants: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
        const play = await startInForcePlay(withPolicies(store.db));
        for (const one of steps) await play.run(one);
        for (const hours of [1, 25, 49]) await play.run({ kind: 'wait', hours });
        play.clock.dispose();
        for (const name of ['puts', 'removals', 'wantedRemovals', 'held', 'told', 'grants'] as const)
          counts[name] += play.counts[name];
        expect(play.faults).toEqual([]);
      }),
      { numRuns: propertyRuns(5_000) },
    );
    // Otherwise the promises would hold trivially.
    expect(counts.puts).toBeGreaterThan(0);
    expect(counts.told).toBeGreaterThan(0);
    expect(counts.wantedRemovals).toBeGreaterThan(0);
  }, 3_600_000);

  test('a raise that ended while its outcome was unknown is not told as changed elsewhere', async () => {
    const play = await startInForcePlay(withPolicies(store.db));
    const steps: InForceStep[] = [
      { kind: 'put', outcome: 'lost_after' },
      { kind: 'answers_later', answers: 'breaks', calls: 1 },
      { kind: 'ask', member: 1, amount: 2_000, hours: 5 },
      { kind: 'wait', hours: 31 },
      { kind: 'answers', answers: 'shows' },
      { kind: 'wait', hours: 1 },
      { kind: 'wait', hours: 25 },
    ];
    for (const one of steps) await play.run(one);
    play.clock.dispose();
    const people = await play.db.selectFrom('limitRequestPeople').select(['state', 'mayBeSet']).execute();
    expect(people[0]).toEqual({ state: 'superseded', mayBeSet: 1 });
    expect(play.faults).toEqual([]);
    // What somebody else sets afterwards is told.
    await play.run({ kind: 'elsewhere', member: 1, value: 700 });
    await play.run({ kind: 'wait', hours: 6 });
    expect(play.counts.told).toBe(1);
  });
});
