import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withPolicies } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { playStep, RULES, startPlay, type PolicyPlay, type PolicyStep } from './policy-model.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const index = (most: number) => fc.nat({ max: most });
const policy = { policy: index(3), by: index(1) };
const rules = index(RULES.length - 1);
const kind = <Kind extends string>(...kinds: Kind[]) => fc.constantFrom(...kinds);

const steps: fc.Arbitrary<PolicyStep>[] = [
  fc.record({ kind: kind('edit'), ...policy, rules }),
  fc.record({ kind: kind('test', 'remove'), ...policy }),
  fc.record({ kind: kind('pause', 'resume', 'resume'), ...policy }),
  fc.record({ kind: kind('activate'), ...policy, isConfirmed: fc.boolean() }),
  fc.record({ kind: kind('stop'), by: index(1) }),
  fc.record({ kind: kind('declare'), isDeclared: fc.boolean() }),
  fc.record({
    kind: kind('decide'),
    decision: kind('approve', 'withdraw', 'undo', 'retry', 'leave', 'send'),
    request: index(5),
  }),
  fc.record({
    kind: kind('elsewhere'),
    member: fc.integer({ min: 1, max: 3 }),
    value: fc.integer({ min: 500, max: 2_000 }),
  }),
  fc.record({ kind: kind('wait'), hours: fc.constantFrom(1, 3, 8, 24, 25, 100), replica: index(1) }),
  fc.record({ kind: kind('mood'), mood: kind('fine', 'refuses', 'lost', 'lost', 'busy') }),
  fc.record({
    kind: kind('crash'),
    at: kind(
      'limits:after_claim',
      'limits:before_put',
      'limits:after_put',
      'limits:after_record',
      'limits:before_finish',
    ),
  }),
  fc.record({ kind: kind('pause_before_put') }),
  fc.record({ kind: kind('figures'), ageDays: fc.constantFrom(1, 1, 2, 3) }),
  fc.record({ kind: kind('switch'), areOn: fc.boolean() }),
  fc.record({
    kind: kind('admins'),
    count: fc.constantFrom(1 as const, 2 as const),
    fourEyes: kind('required', 'when-possible'),
  }),
  fc.record({ kind: kind('restore') }),
];
const asks: fc.Arbitrary<PolicyStep> = fc.oneof(
  fc.record({
    kind: kind('ask'),
    replica: index(1),
    member: index(5),
    percent: fc.constantFrom(90, 105, 120, 150, 180, 250),
  }),
  fc.record({
    kind: kind('ask_both'),
    members: fc.tuple(index(3), index(3)),
    percent: fc.constantFrom(105, 110, 150),
  }),
);
/** Steps after which something can be granted; otherwise most sequences would grant nothing. */
const ready: fc.Arbitrary<PolicyStep[]> = fc
  .record({ chosen: rules, isOwn: fc.boolean() })
  .map(({ chosen, isOwn }) => [
    { kind: 'draft', by: 0, rules: chosen },
    { kind: 'test', policy: 0, by: 0 },
    ...(isOwn ? ALONE : [{ kind: 'activate' as const, policy: 0, by: 1, isConfirmed: false }]),
    { kind: 'declare', isDeclared: true },
  ]);
/** The author tries to activate it a day later; then another admin does. */
const ALONE: PolicyStep[] = [
  { kind: 'wait', hours: 25, replica: 0 },
  { kind: 'activate', policy: 0, by: 0, isConfirmed: true },
  { kind: 'activate', policy: 0, by: 1, isConfirmed: false },
];

class StepCommand implements fc.AsyncCommand<object, PolicyPlay> {
  readonly #step: PolicyStep;
  constructor(step: PolicyStep) {
    this.#step = step;
  }
  check = () => true;
  run = (_model: object, play: PolicyPlay) => playStep(play, this.#step);
  toString = () => JSON.stringify(this.#step);
}

describe('limit policies under generated sequences of requests, edits, activations, pauses, clocks and crashes', () => {
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

  test('keep each of their promises, on two replicas', async () => {
    const counts = { sent: 0, grants: 0, people: 0, pauses: 0 };
    const commands = fc.commands(
      [
        ...steps.map((one) => one.map((step) => new StepCommand(step))),
        ...Array.from({ length: 12 }, () => asks.map((step) => new StepCommand(step))),
        fc.record({ kind: kind('draft'), by: index(1), rules }).map((step) => new StepCommand(step)),
      ],
      { size: 'max', maxCommands: 24 },
    );
    await fc.assert(
      fc.asyncProperty(ready, commands, async (first, sequence) => {
        const play = await startPlay(withPolicies(store.db));
        for (const step of first) await playStep(play, step);
        await fc.asyncModelRun(() => ({ model: {}, real: play }), sequence);
        for (const hours of [2, 24, 24 * 40]) await playStep(play, { kind: 'wait', hours, replica: 1 });
        const decisions = await play.db.selectFrom('limitPolicyDecisions').select('outcome').execute();
        counts.sent += play.history.sent.length;
        counts.grants += decisions.filter(({ outcome }) => outcome === 'grant').length;
        counts.people += decisions.filter(({ outcome }) => outcome !== 'grant').length;
        counts.pauses += (
          await play.db.selectFrom('limitPolicies').select('id').where('state', '=', 'paused').execute()
        ).length;
        for (const clock of play.clocks) clock.dispose();
      }),
      { numRuns: propertyRuns(5_000) },
    );
    // Otherwise the promises would hold trivially.
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
  }, 3_600_000);
});
