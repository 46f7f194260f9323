import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../src/core/base/time/durations.ts';
import { withPolicies } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { listRequests } from '../../../src/features/limits/core/requests.ts';
import { moveRequest } from '../../../src/features/limits/decide/decide.ts';
import type { RaiseRules } from '../../../src/features/limit-policies/rules/policy-rules.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { activeOf, ADMINS, giveLimit, memberId, policyPerson, RAISES } from '../../support/limits/policy-scene.ts';
import {
  approveLimit,
  askAndWithdraw,
  passUntil,
  platformLimit,
  startRaises,
  type RaisePlay,
} from '../../support/limits/raise-play.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const MIA = memberId(1);
const FIRST = 1_000;

type Step =
  | { kind: 'ask'; of: 'permanent' | 'current'; percent: number; days: number | undefined }
  | { kind: 'approve'; percent: number; days: number | undefined }
  | { kind: 'undo' }
  | { kind: 'wait'; hours: number };

const days = fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      of: fc.constantFrom('permanent' as const, 'current' as const),
      percent: fc.constantFrom(101, 110, 140, 149, 150, 151, 200, 300),
      days,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('approve' as const),
      percent: fc.constantFrom(120, 300, 1_000, 2_000),
      days,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('undo' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 23, 49, 170) }) },
);
const rules: fc.Arbitrary<RaiseRules> = fc
  .record({
    percent: fc.constantFrom(10, 50, 100),
    cap: fc.constantFrom(1_200, 3_000, 1_000_000),
    times: fc.constantFrom(1, 5, 31),
    days: fc.constantFrom(1, 7),
    creditsAPeriod: fc.constantFrom(150, 700, 1_000_000),
  })
  .map((chosen) => ({ ...RAISES, ...chosen }));

/** What people approved, as this test saw it. */
interface Approved {
  permanent: number;
  /** The permanent limits before, the newest last. */
  earlier: number[];
  temporary: { value: number; until: Date }[];
}

/** An admin undoes the newest limit that somebody asked for, if that is possible. */
async function undoNewest({ own, db }: RaisePlay, approved: Approved): Promise<void> {
  const newest = (await listRequests(db, ['applied'])).findLast(({ kind }) => kind === 'ask');
  if (!newest) return;
  const { id, policyId, until } = newest;
  const { kind } = await moveRequest(own.deps, id, policyPerson(ADMINS[1]), { kind: 'undo' });
  if (kind !== 'moved') return;
  await own.applier.apply({ id: `${id}-undo`, people: 1 });
  if (policyId !== null) return;
  if (until === null) Object.assign(approved, { permanent: approved.earlier.pop() ?? FIRST });
  else approved.temporary.pop();
}

async function play(
  own: RaisePlay,
  approved: Approved,
  { percent, cap, creditsAPeriod }: RaiseRules,
  steps: readonly Step[],
) {
  const highest = () =>
    Math.min(
      approved.permanent * (1 + percent / 100),
      approved.permanent + creditsAPeriod,
      Math.max(cap, approved.permanent),
    );
  const now = () => own.clock.now();
  const limitNow = () => platformLimit(own, MIA) ?? FIRST;
  const check = (step: string) => {
    const running = approved.temporary.filter(({ until }) => until > now()).map(({ value }) => value);
    const most = Math.max(highest(), approved.permanent, ...running);
    const limit = limitNow();
    expect(limit, `after ${step}`).toBeLessThanOrEqual(most + 1e-6);
  };
  let grants = 0;
  for (const one of steps) {
    await passUntil(own, new Date(now().getTime() + 60_000));
    if (one.kind === 'wait') await passUntil(own, new Date(now().getTime() + one.hours * HOUR_MS));
    else if (one.kind === 'undo') await undoNewest(own, approved);
    else {
      const until = one.days === undefined ? undefined : new Date(now().getTime() + one.days * DAY_MS);
      const base = one.kind === 'ask' && one.of === 'current' ? (platformLimit(own, MIA) ?? FIRST) : approved.permanent;
      const amount = Math.round((base * one.percent) / 100);
      if (one.kind === 'approve') {
        await approveLimit(own, { for: MIA, amount, until });
        if (until) approved.temporary.push({ value: amount, until });
        else {
          approved.earlier.push(approved.permanent);
          Object.assign(approved, { permanent: amount });
        }
      } else if (await askAndWithdraw(own, { for: MIA, amount, until })) grants += 1;
    }
    check(JSON.stringify(one));
  }
  const last = Math.max(now().getTime(), ...approved.temporary.map(({ until }) => until.getTime()));
  await passUntil(own, new Date(last + HOUR_MS));
  check('after the last end that a person approved');
  for (const more of [101, 140, 150]) {
    if (await askAndWithdraw(own, { for: MIA, amount: Math.round((approved.permanent * more) / 100) })) grants += 1;
    check('after further grants');
  }
  await passUntil(own, new Date(now().getTime() + 40 * DAY_MS));
  expect(platformLimit(own, MIA) ?? FIRST, 'in a later period').toBe(approved.permanent);
  return grants;
}

describe('raises by policies under generated approvals of temporary and permanent limits', () => {
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

  test('count from the permanent limit, outlive no end that a person approved, and return to it', async () => {
    let grants = 0;
    const period = fc.constantFrom('week' as const, 'month' as const, 'month from 15' as const);
    await fc.assert(
      fc.asyncProperty(rules, period, fc.array(step, { minLength: 2, maxLength: 10 }), async (chosen, unit, steps) => {
        const own = await startRaises(withPolicies(store.db), new Date('2026-03-10T09:00:00Z'), { period: unit });
        await giveLimit(own.db, MIA, FIRST, new Date('2026-02-01T00:00:00Z'));
        await activeOf(own.own.deps, chosen);
        grants += await play(own, { permanent: FIRST, earlier: [], temporary: [] }, chosen, steps);
        own.clock.dispose();
      }),
      { numRuns: propertyRuns(2_000) },
    );
    expect(grants).toBeGreaterThan(0);
  }, 3_600_000);

  test('an approved limit of ten times for a week is not raised beyond it, and ends as announced', async () => {
    const own = await startRaises(withPolicies(store.db), new Date('2026-03-10T09:00:00Z'));
    await giveLimit(own.db, MIA, FIRST, new Date('2026-02-01T00:00:00Z'));
    await activeOf(own.own.deps, { ...RAISES, cap: 100_000 });
    const until = new Date('2026-03-17T09:00:00Z');
    await approveLimit(own, { for: MIA, amount: 10_000, until });
    await passUntil(own, new Date('2026-03-11T09:00:00Z'));
    expect(await askAndWithdraw(own, { for: MIA, amount: 14_000 })).toBe(false);
    await passUntil(own, new Date('2026-03-18T09:00:00Z'));
    expect(platformLimit(own, MIA)).toBe(FIRST);
    own.clock.dispose();
  });

  test('a raise on a temporary limit ends with it, and its own end returns to the permanent limit', async () => {
    const own = await startRaises(withPolicies(store.db), new Date('2026-03-10T09:00:00Z'));
    await giveLimit(own.db, MIA, FIRST, new Date('2026-02-01T00:00:00Z'));
    await activeOf(own.own.deps, { ...RAISES, cap: 100_000 });
    await approveLimit(own, { for: MIA, amount: 1_200, until: new Date('2026-03-17T09:00:00Z') });
    await passUntil(own, new Date('2026-03-11T09:00:00Z'));
    expect(await askAndWithdraw(own, { for: MIA, amount: 1_500 })).toBe(true);
    await passUntil(own, new Date('2026-03-17T09:01:00Z'));
    expect(platformLimit(own, MIA)).toBe(FIRST);
    own.clock.dispose();
  });
});
