import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { withPolicies } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/databases.ts';
import { startTeamPlay, type PlayedPeriod, type TeamStep } from './team-model.ts';

const kind = <Kind extends string>(...kinds: Kind[]) => fc.constantFrom(...kinds);
const small = fc.nat({ max: 3 });
const bit = fc.nat({ max: 1 });
const person = fc.integer({ min: 1, max: 8 });
const amount = fc.constantFrom(200, 300, 700, 1_050, 1_100, 1_150, 1_200, 1_300, 1_400, 2_000);
const choices = {
  group: bit,
  pool: fc.constantFrom(150, 300, 500, 1_000, null),
  cap: fc.constantFrom(1_200, 1_500, 5_000),
  order: fc.integer({ min: 1, max: 3 }),
  leads: fc.nat({ max: 2 }),
};
const crashes = kind(
  'limits:before_decision',
  'limits:after_decision',
  'limits:after_claim',
  'limits:before_put',
  'limits:after_put',
  'limits:after_record',
  'limits:before_finish',
);
const asks = fc.record({
  kind: kind('ask'),
  by: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: person }),
  person: fc.constantFrom(1, 1, 2, 2, 3, 4, 5, 6, 7, 8),
  amount,
  hours: fc.constantFrom(null, null, null, null, null, 5, 60, 300),
  replica: bit,
  lead: fc.constantFrom(null, 6, 6, 7, 7),
});
const leads = fc.record({
  kind: kind('lead'),
  lead: fc.constantFrom(6, 6, 7, 7, 1, 8),
  request: small,
  lowered: fc.constantFrom(null, null, null, 300, 1_100, 900),
  meanwhile: kind('nothing', 'nothing', 'nothing', 'nothing', 'pause', 'lower', 'lead_lowers'),
  replica: bit,
});

const step: fc.Arbitrary<TeamStep> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: kind('team'), ...choices }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('edit'), team: small, isActivated: fc.boolean(), ...choices }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('pause', 'resume', 'resume', 'resume', 'remove'), team: small }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('bounds'),
      lead: fc.constantFrom(6, 7, 7, 1, 8),
      team: small,
      pool: fc.constantFrom(50, 150, 300, 500, 1_000, null),
      cap: fc.constantFrom(1_150, 1_500, 5_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('second'), above: fc.constantFrom(null, null, 1_120, 1_250) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('policy'), group: bit, isDefault: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('join', 'join', 'leave'), group: bit, person }) },
  { weight: 16, arbitrary: asks },
  { weight: 6, arbitrary: leads },
  { weight: 2, arbitrary: fc.record({ kind: kind('both'), requests: fc.tuple(small, small) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('deny'), lead: fc.constantFrom(6, 7), request: small }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind('admin'),
      decision: kind('approve', 'approve', 'undo', 'undo', 'retry', 'leave', 'send'),
      request: small,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('elsewhere'), person, value: fc.constantFrom(600, 1_000, 1_250) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('outside'), person, value: fc.constantFrom(600, 1_000, 1_250) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: kind('wait'), hours: fc.constantFrom(0, 1, 6, 30, 130), replica: bit }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('period') }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: kind('mood'), mood: kind('fine', 'refuses', 'lost_before', 'lost_after', 'busy') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('answers'), answers: kind('gone', 'shows', 'shows', 'breaks') }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('crash'), at: crashes }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('figures'), ageDays: fc.constantFrom(1, 1, 1, 2, 3) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('switch'), areOn: fc.constantFrom(true, true, false) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('declare'), isDeclared: fc.constantFrom(true, true, false) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('slack'), isSilent: fc.constantFrom(false, false, true) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('backup', 'restore') }) },
);

describe('pools of teams under generated leads, requests, answers, crashes, months and restores', () => {
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

  const TEAM: TeamStep = { kind: 'team', group: 0, pool: 500, cap: 1_500, order: 1, leads: 2 };

  test('leads and policies of a team set no more than its pool, for others alone, and only what is certain', async () => {
    let leads = 0;
    let lowered = 0;
    const periods = fc.constantFrom<PlayedPeriod>('month', 'month', 'week', 'month from 15');
    await fc.assert(
      fc.asyncProperty(periods, fc.array(step, { minLength: 10, maxLength: 30 }), async (period, steps) => {
        const play = await startTeamPlay(withPolicies(store.db), period);
        try {
          for (const one of [TEAM, ...steps]) {
            await play.run(one);
            expect(play.faults).toEqual([]);
          }
        } finally {
          play.dispose();
        }
        leads += play.counts.leads;
        lowered += play.counts.lowered;
      }),
      { numRuns: propertyRuns(5_000) },
    );
    // Otherwise the promises would hold trivially.
    expect(leads).toBeGreaterThan(0);
    expect(lowered).toBeGreaterThan(0);
  }, 3_600_000);

  /** Steps that once broke a promise. */
  const follow = async (...steps: TeamStep[]): Promise<string[]> => {
    const play = await startTeamPlay(withPolicies(store.db));
    for (const one of [TEAM, ...steps]) await play.run(one);
    play.dispose();
    return play.faults;
  };
  const ask = (of: number, limit: number, by: number | null): TeamStep => ({
    kind: 'ask',
    by: null,
    person: of,
    amount: limit,
    hours: null,
    replica: 0,
    lead: by,
  });
  const lead = (of: number, limit: number): TeamStep => ask(of, limit, 7);

  test('a first limit stays charged after a raise on it was undone', async () => {
    const raise = lead(5, 500);
    const faults = await follow(
      lead(5, 300),
      raise,
      { kind: 'admin', decision: 'undo', request: 1 },
      { kind: 'period' },
      lead(1, 1_300),
    );
    expect(faults).toEqual([]);
  });

  test('a raise whose answer was lost stays charged when its end passed before it could be sent again', async () => {
    const faults = await follow(
      { kind: 'mood', mood: 'lost_after' },
      lead(1, 1_400),
      { kind: 'period' },
      { kind: 'period' },
      lead(2, 1_400),
    );
    expect(faults).toEqual([]);
  });

  test('a lost answer stays charged when the platform refuses the next sending', async () => {
    const faults = await follow(
      { kind: 'mood', mood: 'lost_after' },
      lead(1, 1_400),
      { kind: 'mood', mood: 'refuses' },
      { kind: 'wait', hours: 1, replica: 0 },
      lead(2, 1_400),
    );
    expect(faults).toEqual([]);
  });

  test('a raise that ended while its outcome was unknown is no known limit, and admins are asked about its end', async () => {
    const faults = await follow(
      { kind: 'crash', at: 'limits:after_put' },
      lead(1, 1_100),
      { kind: 'period' },
      { kind: 'wait', hours: 1, replica: 0 },
      lead(1, 1_050),
    );
    expect(faults).toEqual([]);
    const { state } = await withPolicies(store.db)
      .selectFrom('limitRequests')
      .select('state')
      .where('kind', '=', 'return')
      .executeTakeFirstOrThrow();
    expect(state).toBe('unsure');
  });

  test('the pool of a group pays for what a policy for the group grants a person of another team', async () => {
    const faults = await follow(
      { kind: 'team', group: 1, pool: 300, cap: 1_500, order: 2, leads: 2 },
      { kind: 'policy', group: 1, isDefault: false },
      ask(2, 1_200, null),
      ask(3, 1_200, null),
    );
    expect(faults).toEqual([]);
  });
});
