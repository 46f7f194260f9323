import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/core/base/time/durations.ts';
import { withPolicies } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { limitsOf } from '../../../src/features/limits/core/ledger.ts';
import { worstCaseOf } from '../../../src/features/limit-policies/back-test/back-test.ts';
import type { RaiseRules } from '../../../src/features/limit-policies/rules/policy-rules.ts';
import { resumePolicy } from '../../../src/features/limit-policies/manage/change-policy.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import {
  activeOf,
  ADMINS,
  emailOf,
  giveLimit,
  memberId,
  policyNow,
  RAISES,
} from '../../support/limits/policy-scene.ts';
import { askAndWithdraw, passUntil, startRaises, type RaisePlay } from '../../support/limits/raise-play.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

type Unit = 'week' | 'month' | 'month from 15' | 'month from 28' | 'quarter';
const HOURS = 31 * 24;
const DAY_MS = 24 * HOUR_MS;

interface Ask {
  /** Hours after the start, below 31 days. */
  at: number;
  member: number;
  /** Of what the rules let the member get. */
  part: number;
}

/** The period of a day, worked out without the code under test: weeks begin on Mondays, as 5 January 1970 did. */
function periodOf(at: Date, unit: Unit): string {
  if (unit === 'week') return String(Math.floor((at.getTime() / DAY_MS - 4) / 7));
  const [year, month, date] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  if (unit === 'month from 15') return `${year * 12 + month - (date < 15 ? 1 : 0)}`;
  if (unit === 'month from 28') return `${year * 12 + month - (date < 28 ? 1 : 0)}`;
  return `${year}-${unit === 'month' ? month : Math.floor(month / 3)}`;
}

/** The credits above the permanent limits, by the highest limit that the platform got for each person and period. */
function releasedBy({ puts }: RaisePlay, limits: readonly number[], unit: Unit): number {
  const highest = new Map<string, number>();
  for (const { email, limit, at } of puts) {
    const permanent = limits[Number(email.slice(1, email.indexOf('@'))) - 1] ?? 0;
    const key = `${email} ${periodOf(at, unit)}`;
    highest.set(key, Math.max(highest.get(key) ?? 0, limit - permanent));
  }
  return [...highest.values()].reduce((sum, one) => sum + one, 0);
}

async function playMonth(
  db: ReturnType<typeof withPolicies>,
  {
    rules,
    limits,
    unit,
    start,
    asks,
  }: { rules: RaiseRules; limits: readonly number[]; unit: Unit; start: Date; asks: readonly Ask[] },
): Promise<{ released: number; counted: number; worst: number }> {
  const play = await startRaises(db, start, { period: unit });
  const { deps } = play.own;
  const members = limits.map((_, index) => memberId(index + 1));
  for (const [index, member] of members.entries())
    await giveLimit(play.db, member, limits[index] ?? 0, new Date('2025-12-01T00:00:00Z'));
  const known = await limitsOf(
    play.db,
    members.map((id) => emailOf(id)),
  );
  const worst = worstCaseOf(
    rules,
    members.map((id) => [known(emailOf(id))]),
    unit,
  ).credits;
  const { id } = await activeOf(deps, rules);
  let day = 0;
  for (const { at, member, part } of asks.toSorted((a, b) => a.at - b.at)) {
    // Raises end at midnight, when the jobs run.
    for (; day * 24 <= at; day += 1) {
      const midnight = new Date(start.getTime() + day * DAY_MS);
      if (midnight > play.clock.now()) await passUntil(play, midnight);
    }
    const time = new Date(start.getTime() + at * HOUR_MS);
    if (time > play.clock.now()) play.clock.moveTo(time);
    const index = member % limits.length;
    const permanent = limits[index] ?? 0;
    const most = Math.min(rules.cap, permanent * (1 + rules.percent / 100));
    await askAndWithdraw(play, {
      for: members[index] ?? '',
      amount: Math.floor(permanent + (most - permanent) * part),
    });
    // An admin resumes it at each cap.
    if ((await policyNow(play.db, id)).state === 'paused') await resumePolicy(deps, id, 1, ADMINS[0]);
    play.clock.moveTo(new Date(play.clock.now().getTime() + 1_000));
  }
  const grants = await play.db.selectFrom('limitPolicyDecisions').select('credits').execute();
  play.clock.dispose();
  return {
    released: releasedBy(play, limits, unit),
    counted: grants.reduce((sum, one) => sum + one.credits, 0),
    worst,
  };
}

const rules: fc.Arbitrary<RaiseRules> = fc
  .record({
    percent: fc.constantFrom(10, 20, 100, 300),
    cap: fc.constantFrom(600_000, 1_000_000, 10_000_000),
    times: fc.constantFrom(1, 2, 5),
    days: fc.constantFrom(1, 7, 10, 31),
    grantsADay: fc.constantFrom(1, 2, 100),
    creditsAPeriod: fc.constantFrom(100_000, 750_000, 100_000_000),
  })
  .map((chosen) => ({ ...RAISES, ...chosen }));
const ask: fc.Arbitrary<Ask> = fc.record({
  at: fc.nat(HOURS - 1),
  member: fc.nat(2),
  part: fc.constantFrom(1, 1, 1, 0.5, 0.2),
});

describe('the worst case that the second admin sees', () => {
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

  test('is never exceeded by the live engine in 31 days', async () => {
    let released = 0;
    await fc.assert(
      fc.asyncProperty(
        rules,
        fc.array(fc.constantFrom(300_000, 500_000, 900_000), { minLength: 1, maxLength: 3 }),
        fc.constantFrom<Unit>('week', 'month', 'month from 15', 'month from 28', 'quarter'),
        fc.nat(300),
        fc.array(ask, { minLength: 4, maxLength: 24 }),
        async (chosen, limits, unit, day, asks) => {
          const start = new Date(Date.UTC(2026, 0, 10 + day));
          const result = await playMonth(withPolicies(store.db), { rules: chosen, limits, unit, start, asks });
          expect(result.released).toBeLessThanOrEqual(result.worst + 1e-6);
          expect(result.counted).toBeLessThanOrEqual(result.worst + 1e-6);
          expect(result.counted, 'the caps count what is released').toBeGreaterThanOrEqual(result.released - 1e-6);
          released += result.released;
        },
      ),
      { numRuns: propertyRuns(1_500) },
    );
    expect(released).toBeGreaterThan(0);
  }, 3_600_000);

  /** Every six hours of the 31 days, each person asks for all that the rules allow. */
  const greedy = (people: number): Ask[] =>
    Array.from({ length: HOURS / 6 }, (_, index) => index * 6).flatMap((at) =>
      Array.from({ length: people }, (__, member) => ({ at, member, part: 1 })),
    );

  test.each<[string, Unit, string, Partial<Pick<RaiseRules, 'percent' | 'cap' | 'times' | 'days' | 'creditsAPeriod'>>]>(
    [
      ['six weeks', 'week', '2026-03-08', { percent: 20, cap: 600_000, times: 1, days: 1 }],
      ['six weeks with several grants each', 'week', '2026-03-08', { percent: 100, cap: 1_000_000, times: 5, days: 7 }],
      ['five grants, one in seven days', 'week', '2026-03-08', { percent: 20, cap: 600_000, times: 1, days: 7 }],
      ['three months', 'month', '2026-01-31', { percent: 20, cap: 1_000_000, times: 9, days: 7 }],
      [
        'three months with a cap of credits',
        'month',
        '2026-01-31',
        { percent: 100, creditsAPeriod: 500_000, times: 9, days: 7 },
      ],
    ],
  )('is reached by greedy requests that touch %s', async (_, unit, day, chosen) => {
    const request = {
      rules: { ...RAISES, cap: 10_000_000, creditsAPeriod: 100_000_000, ...chosen },
      limits: [500_000],
      unit,
      start: new Date(`${day}T00:00:00Z`),
      asks: greedy(1),
    };
    const { released, worst } = await playMonth(withPolicies(store.db), request);
    expect(worst).toBeGreaterThan(0);
    expect(released).toBe(worst);
  });
});
