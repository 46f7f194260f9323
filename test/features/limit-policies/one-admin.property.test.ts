import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../src/core/base/time/durations.ts';
import { chooseLimitPeriod } from '../../../src/core/figures/limit-period.ts';
import { saveApproverRules } from '../../../src/features/limits/approvers/approver-rules.ts';
import { withPolicies } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { listRequests } from '../../../src/features/limits/core/requests.ts';
import { moveRequest } from '../../../src/features/limits/decide/decide.ts';
import { storeDeclaration } from '../../../src/features/limits/declare/declared-limits.ts';
import type { RaiseRules } from '../../../src/features/limit-policies/rules/policy-rules.ts';
import {
  activatePolicy,
  editPolicy,
  pausePolicy,
  releasePolicy,
  removePolicy,
  resumePolicy,
  stopAllPolicies,
} from '../../../src/features/limit-policies/manage/change-policy.ts';
import { listPolicies } from '../../../src/features/limit-policies/store/policy-store.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import {
  activeOf,
  ADMINS,
  declare,
  emailOf,
  giveLimit,
  memberId,
  policyPerson,
  RAISES,
  storeTest,
} from '../../support/limits/policy-scene.ts';
import { askAndWithdraw, passUntil, startRaises, type RaisePlay } from '../../support/limits/raise-play.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const START = new Date('2026-03-10T09:00:00Z');
/** Mia is in the group of the policies; Tom is not. */
const MEMBERS = [memberId(1), memberId(2)];
const FIRST = 1_000;
/** The only admin who acts. */
const [ADA] = ADMINS;

type Act =
  | { kind: 'pause' | 'resume' | 'remove' | 'release' | 'activate' | 'test' | 'edit'; policy: number; rules: number }
  | { kind: 'stop' }
  /** `LIMIT_POLICIES` at the next start. */
  | { kind: 'restart'; areOn: boolean }
  | { kind: 'only_here'; isDeclared: boolean }
  | { kind: 'period'; period: 'week' | 'month' | 'month from 15' | 'year' }
  | { kind: 'second_above'; amount: number | undefined }
  | { kind: 'declare'; member: number; isRemoved: boolean }
  | { kind: 'undo' };
type Step = Act | { kind: 'ask'; member: number; percent: number } | { kind: 'wait'; hours: number };

const rules: fc.Arbitrary<RaiseRules> = fc
  .record({
    subject: fc.constantFrom<RaiseRules['subject']>(
      { kind: 'everybody' },
      { kind: 'everybody' },
      { kind: 'group', id: 'S1', handle: 'web-team' },
      { kind: 'person', slackId: memberId(1) },
    ),
    percent: fc.constantFrom(10, 50, 100),
    cap: fc.constantFrom(1_200, 5_000),
    times: fc.constantFrom(1, 2, 9),
    days: fc.constantFrom(1, 7, 31),
    grantsADay: fc.constantFrom(1, 2, 50),
    creditsAPeriod: fc.constantFrom(100, 600, 100_000),
  })
  .map((changed) => ({ ...RAISES, ...changed }));
const place = fc.nat(3);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      member: fc.nat(1),
      percent: fc.constantFrom(105, 110, 140, 150, 200),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 25, 170) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('pause', 'pause', 'resume', 'remove', 'release', 'activate', 'test', 'edit'),
      policy: place,
      rules: place,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.oneof(
      fc.record({ kind: fc.constant('stop' as const) }),
      fc.record({ kind: fc.constant('restart' as const), areOn: fc.boolean() }),
      fc.record({ kind: fc.constant('only_here' as const), isDeclared: fc.boolean() }),
      fc.record({
        kind: fc.constant('period' as const),
        period: fc.constantFrom('week' as const, 'month' as const, 'month from 15' as const, 'year' as const),
      }),
      fc.record({
        kind: fc.constant('second_above' as const),
        amount: fc.option(fc.constantFrom(1_100, 1_300, 9_000), { nil: undefined }),
      }),
      fc.record({ kind: fc.constant('declare' as const), member: fc.nat(1), isRemoved: fc.boolean() }),
      fc.record({ kind: fc.constant('undo' as const) }),
    ),
  },
);

interface Agreed {
  id: string;
  rules: RaiseRules;
}

const RANK = { everybody: 0, group: 1, person: 2 };

/** What the policies that two admins agreed on say about a grant, worked out from the rows by other means. */
async function checkGrants(
  { db }: RaisePlay,
  agreed: readonly Agreed[],
  secondAbove: number | undefined,
): Promise<number> {
  const grants = await db
    .selectFrom('limitPolicyDecisions as decision')
    .innerJoin('limitRequestPeople as person', 'person.requestId', 'decision.requestId')
    .innerJoin('limitRequests as request', 'request.id', 'decision.requestId')
    .select(['decision.slackId', 'decision.policyId', 'decision.policyVersion', 'decision.at', 'person.toValue'])
    .select('request.until')
    .where('decision.outcome', '=', 'grant')
    .orderBy('decision.at')
    .execute();
  for (const [index, { slackId, policyId, policyVersion, at, until, toValue }] of grants.entries()) {
    const covering = agreed.filter(
      ({ rules: { subject } }) =>
        subject.kind === 'everybody' ||
        (subject.kind === 'group' ? slackId === memberId(1) : slackId === subject.slackId),
    );
    const rank = Math.max(...covering.map((one) => RANK[one.rules.subject.kind]));
    const closest = covering.filter((one) => RANK[one.rules.subject.kind] === rank);
    const reach = ({ rules: { cap, percent } }: Agreed) => Math.min(cap, FIRST * (1 + percent / 100));
    const lowest = Math.min(...closest.map((one) => reach(one)));
    const deciding = closest
      .filter((one) => reach(one) === lowest)
      .map(({ id }) => id)
      .toSorted()[0];
    expect([policyId, policyVersion], 'the policy that the admins agreed on for this person decides').toEqual([
      deciding,
      1,
    ]);
    const nextMonth = new Date(Date.UTC(Number(at.slice(0, 4)), Number(at.slice(5, 7)), 1));
    expect((until ?? '9999') <= nextMonth.toISOString(), 'it ends with the month that they agreed under').toBe(true);
    expect(toValue, 'within its rules').toBeLessThanOrEqual(lowest);
    expect(toValue, 'two admins approve above the amount of the agreement').toBeLessThanOrEqual(
      secondAbove ?? Infinity,
    );
    const rulesOf = agreed.find(({ id }) => id === policyId)?.rules;
    const before = grants.slice(0, index + 1);
    const within = (ms: number) => before.filter((one) => Date.parse(one.at) > Date.parse(at) - ms);
    const own = within((rulesOf?.days ?? 0) * DAY_MS).filter((one) => one.slackId === slackId);
    expect(own.length, 'grants of a person').toBeLessThanOrEqual(rulesOf?.times ?? 0);
    for (const { rules: each } of agreed) {
      expect(within(DAY_MS).length, 'grants a day').toBeLessThanOrEqual(each.grantsADay);
      const highest = new Map<string | null, number>();
      for (const one of before.filter((grant) => grant.at.slice(0, 7) === at.slice(0, 7)))
        highest.set(one.slackId, Math.max(highest.get(one.slackId) ?? 0, one.toValue - FIRST));
      const released = [...highest.values()].reduce((sum, one) => sum + one, 0);
      expect(released, 'credits a month').toBeLessThanOrEqual(each.creditsAPeriod + 1e-6);
    }
  }
  return grants.length;
}

async function act(play: RaisePlay, one: Act, drafts: readonly RaiseRules[]): Promise<void> {
  const { db, own, clock } = play;
  const { deps } = own;
  const now = clock.now();
  const ada = policyPerson(ADA);
  switch (one.kind) {
    case 'stop':
      await stopAllPolicies(deps, ADA);
      return;
    case 'restart':
      play.world.areOn = one.areOn;
      return;
    case 'only_here':
      return declare(deps, one.isDeclared);
    case 'period':
      await db.transaction().execute((trx) => chooseLimitPeriod(trx, one.period, ADA, now));
      return;
    case 'second_above': {
      const changed = { approvers: [], hours: 4, secondAbove: one.amount, skipsAway: false };
      await db.transaction().execute((trx) => saveApproverRules(trx, changed, { by: ADA, detail: '' }, now));
      return;
    }
    case 'declare': {
      const email = emailOf(MEMBERS[one.member] ?? '');
      const people = one.isRemoved ? [] : [{ email, amount: 9_000 }];
      const removed = one.isRemoved ? [email] : [];
      await db
        .transaction()
        .execute((trx) => storeDeclaration(trx, { forEverybody: undefined, people, removed }, ADA, now));
      return;
    }
    case 'undo': {
      const last = (await listRequests(db, ['applied'])).findLast(({ kind }) => kind === 'ask');
      if (last) await moveRequest(deps, last.id, ada, { kind: 'undo' });
      return;
    }
    case 'pause':
    case 'resume':
    case 'remove':
    case 'release':
    case 'activate':
    case 'test':
    case 'edit':
      return changePolicy(play, one, drafts);
    default:
      return one satisfies never;
  }
}

async function changePolicy(
  { db, own: { deps } }: RaisePlay,
  one: Extract<Act, { policy: number }>,
  drafts: readonly RaiseRules[],
): Promise<void> {
  const policies = await listPolicies(db);
  const policy = policies[one.policy % policies.length];
  if (!policy) return;
  const { id, version } = policy;
  const ada = policyPerson(ADA);
  switch (one.kind) {
    case 'pause':
      await pausePolicy(deps, id, version, ADA);
      return;
    case 'resume':
      await resumePolicy(deps, id, version, ADA);
      return;
    case 'remove':
      await removePolicy(deps, id, version, ADA);
      return;
    case 'release':
      await releasePolicy(deps, id, version, ada, true);
      return;
    case 'activate':
      await activatePolicy(deps, id, version, ada, true);
      return;
    case 'test':
      await storeTest(deps, policy);
      return;
    case 'edit':
      await editPolicy(deps, id, version, { name: 'x', rules: drafts[one.rules % drafts.length] ?? RAISES }, ADA);
      return;
    default:
      one.kind satisfies never;
  }
}

describe('one admin', () => {
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

  test('never widens what two admins agreed on, by any sequence of acts', async () => {
    let grants = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(rules, { minLength: 1, maxLength: 4 }),
        fc.array(rules, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(undefined, 1_120, 1_120, 1_400),
        fc.array(step, { minLength: 4, maxLength: 18 }),
        async (agreedRules, drafts, secondAbove, steps) => {
          const play = await startRaises(withPolicies(store.db), START);
          for (const member of MEMBERS) await giveLimit(play.db, member, FIRST, new Date('2026-02-01T00:00:00Z'));
          await act(play, { kind: 'second_above', amount: secondAbove }, []);
          const agreed: Agreed[] = [];
          for (const one of agreedRules) agreed.push({ id: (await activeOf(play.own.deps, one)).id, rules: one });
          for (const one of steps) {
            const now = play.clock.now().getTime();
            if (one.kind === 'wait') await passUntil(play, new Date(now + one.hours * HOUR_MS));
            else if (one.kind === 'ask') {
              const slackId = MEMBERS[one.member] ?? '';
              await passUntil(play, new Date(now + 60_000));
              await askAndWithdraw(play, { for: slackId, amount: (FIRST * one.percent) / 100 });
            } else await act(play, one, drafts);
          }
          grants += await checkGrants(play, agreed, secondAbove);
          play.clock.dispose();
        },
      ),
      { numRuns: propertyRuns(2_500) },
    );
    expect(grants).toBeGreaterThan(0);
  }, 3_600_000);
});
