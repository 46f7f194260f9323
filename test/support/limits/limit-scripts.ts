import fc from 'fast-check';
import type { Step } from './limit-model.ts';

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
  isConfirmed: fc.boolean(),
});
const undo: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('undo' as const), by: admin, request: fc.nat(5) });
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
const anything = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: ask },
    { weight: 4, arbitrary: approve },
    { weight: 3, arbitrary: other },
    { weight: 2, arbitrary: undo },
  ),
  {
    minLength: 3,
    maxLength: 14,
  },
);

/** Two limits for one person; the second one is undone, possibly under a fault or a crash. */
const twoAndUndo = fc
  .record({
    by: fc.oneof(person, fc.constant(4)),
    who: person,
    admin,
    amounts: fc.tuple(fc.nat(1_000), fc.nat(1_000)),
    trouble: fc.option(other, { nil: undefined }),
    undoer: admin,
    rest: anything,
  })
  .map(({ by, who, admin: decider, amounts, trouble, undoer, rest }): Step[] => {
    const nothing = { lowered: [100, 100, 100], leftOut: [false, false, false], backs: [100, 100, 100], most: -1 };
    const pair = amounts.flatMap((amount, request): Step[] => [
      { kind: 'ask', by, people: [who], amount, days: 0, back: -1 },
      { kind: 'approve', by: decider, request, ...nothing, isConfirmed: true },
    ]);
    return [...pair, ...(trouble ? [trouble] : []), { kind: 'undo', by: undoer, request: 0 }, ...rest];
  });

/** Some days of requests, decisions, undos, faults of the platform and crashes. */
export const limitScripts = fc.oneof({ weight: 2, arbitrary: anything }, { weight: 1, arbitrary: twoAndUndo });
