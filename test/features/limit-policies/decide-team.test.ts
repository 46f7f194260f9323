import { describe, expect, test } from 'vitest';
import {
  chargedIn,
  decideByTeam,
  poolAtRequest,
  teamOf,
  withinPool,
  type Charge,
  type TeamFacts,
} from '../../../src/features/limit-policies/rules/decide-team.ts';
import type { ActingPolicy, TeamPolicy } from '../../../src/features/limit-policies/rules/policy-rules.ts';
import type { PersonReason, PolicyDecision } from '../../../src/features/limit-policies/rules/decide.ts';
import type { KnownLimit } from '../../../src/core/figures/known-limit.ts';
import { RAISES } from '../../support/limits/policy-scene.ts';

const NOW = new Date('2026-03-10T09:00:00Z');
const APRIL = new Date('2026-04-01T00:00:00Z');
const MIA = 'u1@acme.example';

const team = (change: Partial<TeamPolicy['rules']> = {}, policy: Partial<TeamPolicy> = {}): TeamPolicy => ({
  id: 'web',
  name: 'Web',
  version: 1,
  isHeld: false,
  period: 'month',
  secondAbove: undefined,
  rules: {
    kind: 'team',
    subject: { kind: 'group', id: 'S1', handle: 'web-team' },
    pool: 500,
    cap: 2_000,
    leads: ['U6'],
    channel: null,
    order: 1,
    ...change,
  },
  ...policy,
});
const set = (value: number, permanent = value, until?: Date): KnownLimit => ({
  kind: 'set',
  value,
  permanent,
  until,
  at: new Date('2026-02-01T00:00:00Z'),
  requestId: 'r',
});
const shown = (change: Partial<Extract<KnownLimit, { kind: 'shown' }>> = {}): KnownLimit => ({
  kind: 'shown',
  value: 1_000,
  permanent: 1_000,
  until: undefined,
  at: NOW,
  isForEverybody: false,
  isWithoutOwn: false,
  isCurrent: true,
  ...change,
});
const charge = (change: Partial<Charge> = {}): Charge => ({
  policyId: 'web',
  email: 'u2@acme.example',
  credits: 200,
  isFirst: false,
  from: new Date('2026-03-02T09:00:00Z'),
  until: undefined,
  ...change,
});

type Change = Partial<Omit<TeamFacts, 'person' | 'request'>> & {
  person?: Partial<TeamFacts['person']>;
  request?: Partial<TeamFacts['request']>;
};
const factsOf = ({ person, request, ...change }: Change = {}): TeamFacts => ({
  now: NOW,
  timeZone: 'UTC',
  trigger: 'request',
  areOn: true,
  areLimitsOnlyHere: true,
  secondAbove: undefined,
  hasGap: false,
  limit: set(1_000),
  shownLimits: 'not_shown',
  figuresUntil: '2026-03-09',
  hasOpenRequest: false,
  hasUnknownOutcome: false,
  period: 'month',
  teams: [team()],
  charges: [],
  ...change,
  request: { people: 1, amount: 1_300, until: undefined, ...request },
  person: {
    email: MIA,
    emails: [MIA],
    slackIds: ['U1'],
    isAdmin: false,
    groups: ['S1'],
    firstSeenOn: '2026-01-20',
    ...person,
  },
});
const decide = (change?: Change) => decideByTeam(factsOf(change));

test('a lead may approve a raise within the pool, which ends with the period and costs what is beyond the permanent limit', () => {
  expect(decide()).toMatchObject({
    kind: 'lead',
    policy: { id: 'web' },
    end: { until: APRIL, returnTo: 1_000 },
    charge: { credits: 300, isFirst: false },
    pool: { credits: 500, charged: 0 },
    left: 200,
  });
});

const none: KnownLimit = { kind: 'none' };
const WITHDRAWN: KnownLimit = { kind: 'none', withdrawnAt: new Date('2026-02-01T00:00:00Z') };
const DECLARED: KnownLimit = { kind: 'declared', value: 900, by: 'UADA', at: NOW, isForEverybody: false };

test.each<[PersonReason, string, Change]>([
  ['off', 'policies are off', { areOn: false }],
  ['no_policy', 'there is no team', { teams: [] }],
  ['no_policy', 'the person is in none', { person: { groups: ['S9'] } }],
  ['several_people', 'it is for two people', { request: { people: 2 } }],
  ['groups_unknown', 'Slack does not say who is in the team', { person: { groups: undefined } }],
  ['held', 'one admin has paused the team', { teams: [team({}, { isHeld: true })] }],
  ['period_unknown', 'the period is not known', { period: undefined }],
  ['period_changed', 'the period is another one than agreed', { period: 'week' }],
  ['period_changed', 'the period was not known when they agreed', { teams: [team({}, { period: undefined })] }],
  ['gap', 'the store may lack limits', { hasGap: true }],
  ['admin_unknown', 'the person may be an admin', { person: { isAdmin: undefined } }],
  ['admin', 'the person is an admin', { person: { isAdmin: true } }],
  ['unknown_outcome', 'an answer was lost', { hasUnknownOutcome: true }],
  ['open_request', 'another request waits', { hasOpenRequest: true }],
  ['old_figures', 'the figures are three days old', { figuresUntil: '2026-03-07' }],
  ['old_figures', 'there are no figures', { figuresUntil: undefined }],
  ['above_cap', 'it is above the cap for a person', { teams: [team({ cap: 1_299 })] }],
  ['second_approval', 'two admins have to approve it now', { secondAbove: 1_299 }],
  ['second_approval', 'two admins had to when they agreed', { teams: [team({}, { secondAbove: 1_299 })] }],
  ['withdrawn', 'a declared limit may be in effect', { limit: WITHDRAWN }],
  ['no_value', 'a first limit would stay after its end', { limit: none, request: { until: APRIL, amount: 300 } }],
  [
    'limits_elsewhere',
    'a first limit may replace one from elsewhere',
    { limit: none, areLimitsOnlyHere: false, request: { amount: 300 } },
  ],
  ['limits_elsewhere', 'a raise may lower one from elsewhere', { areLimitsOnlyHere: false }],
  ['limits_elsewhere', 'the platform can’t be read', { shownLimits: 'failed' }],
  ['declared', 'the limit is only declared', { limit: DECLARED }],
  [
    'not_a_raise',
    'there is no limit to raise',
    { limit: { kind: 'unlimited', at: NOW, isCurrent: true }, shownLimits: 'read' },
  ],
  [
    'limit_unclear',
    'the limit is unclear',
    { limit: { kind: 'unclear', at: NOW, isCurrent: true }, shownLimits: 'read' },
  ],
  ['not_a_raise', 'it lowers the limit', { request: { amount: 999 } }],
  ['not_a_raise', 'it keeps the limit', { request: { amount: 1_000 } }],
  ['not_a_raise', 'it lowers a temporary limit', { limit: set(1_400, 1_000, APRIL) }],
  [
    'temporary_limit',
    'it would outlast a temporary limit',
    { limit: set(1_200, 1_000, new Date('2026-05-01T00:00:00Z')) },
  ],
  ['pool', 'the pool has too little left', { charges: [charge({ credits: 201 })] }],
  ['pool', 'a first limit is more than the pool', { limit: none, request: { amount: 501 } }],
])('an admin decides with the reason “%s” if %s', (reason, _, change) => {
  expect(decide(change)).toMatchObject({ kind: 'up', reason });
});

describe('a first limit', () => {
  test('is charged in full, and has no end', () => {
    expect(decide({ limit: none, request: { amount: 300 } })).toMatchObject({
      kind: 'lead',
      end: undefined,
      charge: { credits: 300, isFirst: true },
    });
  });

  test('where the platform shows one limit for everybody, only what is beyond that is charged', () => {
    const limit = shown({ isForEverybody: true, isWithoutOwn: true });
    expect(decide({ limit, shownLimits: 'read' })).toMatchObject({
      kind: 'lead',
      end: { returnTo: 1_000, returnsToNone: true },
      charge: { credits: 300, isFirst: false },
    });
  });
});

test('a raise on a temporary limit costs what is beyond the permanent one', () => {
  expect(decide({ limit: set(1_200, 1_000, APRIL) })).toMatchObject({ kind: 'lead', charge: { credits: 300 } });
});

describe('what is charged in March', () => {
  const MARCH = { first: '2026-03-01', last: '2026-03-31' } as const;
  const at = (day: string) => new Date(`${day}T12:00:00Z`);

  test.each<[number, string, Charge[]]>([
    [400, 'raises of two people', [charge(), charge({ email: MIA })]],
    [300, 'the highest of two raises of one e-mail', [charge(), charge({ credits: 300 }), charge({ credits: 100 })]],
    [500, 'a first limit and the raise on it', [charge({ isFirst: true, credits: 300 }), charge()]],
    [200, 'a raise that ended on the way', [charge({ until: at('2026-03-05') })]],
    [200, 'a raise of before that has not ended', [charge({ from: at('2026-02-05') })]],
    [200, 'a raise of before that ended late', [charge({ from: at('2026-02-05'), until: at('2026-03-01') })]],
    [
      0,
      'a raise that ended with February',
      [charge({ from: at('2026-02-05'), until: new Date('2026-03-01T00:00:00Z') })],
    ],
    [0, 'a raise of April', [charge({ from: at('2026-04-01') })]],
    [200, 'a raise of the last evening', [charge({ from: new Date('2026-03-31T23:59:59Z') })]],
  ])('is %s for %s', (credits, _, charges) => {
    expect(chargedIn(MARCH, charges)).toBe(credits);
  });

  test('is not what another team pays', () => {
    expect(decide({ charges: [charge({ policyId: 'api', credits: 500 })] })).toMatchObject({ kind: 'lead', left: 200 });
  });

  test('does not grow by a raise that replaces a higher one of the same person', () => {
    const charges = [charge({ email: MIA, credits: 400 })];
    expect(decide({ charges })).toMatchObject({ kind: 'lead', pool: { charged: 400 }, left: 100 });
  });
});

test('a person counts in the team with the lowest number, also while it is held; equal ones by their ids', () => {
  const other = team({ order: 2 }, { id: 'api' });
  expect(teamOf([other, team()], ['S1'])?.id).toBe('web');
  expect(teamOf([other, team({}, { isHeld: true })], ['S1'])?.id).toBe('web');
  expect(teamOf([team(), team({}, { id: 'api' })], ['S1'])?.id).toBe('api');
  expect(teamOf([team({ order: 9 }), team({ order: 10 }, { id: 'api' })], ['S1'])?.id).toBe('web');
});

test('a reviewer sees how much a request is beyond the pool', () => {
  const facts = { now: NOW, charges: [charge({ credits: 400 })], period: 'month' as const };
  expect(poolAtRequest(team(), facts, { email: MIA, limit: set(1_000), amount: 1_300 })).toMatchObject({
    charged: 400,
    asked: 300,
    left: -200,
  });
});

describe('a policy for the group of a team', () => {
  const acting = (subject: ActingPolicy['rules']['subject']): ActingPolicy => ({
    ...team(),
    id: 'raises',
    rules: { ...RAISES, subject },
  });
  const GROUP = acting(team().rules.subject);
  const GRANT: PolicyDecision = {
    kind: 'grant',
    policy: { id: 'raises', name: 'Raises', version: 1 },
    value: 1_300,
    end: { until: APRIL, returnTo: 1_000 },
    credits: 100,
  };
  const grant = (change?: Change, policy = GROUP, decision = GRANT) => withinPool(decision, [policy], factsOf(change));

  test('is charged to its pool with all that is beyond the permanent limit', () => {
    expect(grant()).toMatchObject({ decision: GRANT, charged: { charge: { credits: 300, isFirst: false } } });
    const first = { ...GRANT, value: 300, end: undefined };
    expect(grant({}, GROUP, first)).toMatchObject({ charged: { charge: { credits: 300, isFirst: true } } });
  });

  test.each<[string, Change]>([
    ['the pool has too little left', { charges: [charge({ credits: 201 })] }],
    ['the team is held', { teams: [team({}, { isHeld: true })] }],
    ['the period is another one', { period: 'week' }],
    ['the period is not known', { period: undefined, teams: [team({}, { period: undefined })] }],
  ])('grants nothing if %s', (_, change) => {
    expect(grant(change)).toEqual({ decision: { kind: 'person', reason: 'pool', policy: GRANT.policy } });
  });

  test('is charged to the pool of its own group for a person who counts in another team', () => {
    const first = team({ order: 1, subject: { kind: 'group', id: 'S2', handle: 'api-team' } }, { id: 'api' });
    const change = { teams: [first, team({ order: 2 })], person: { groups: ['S1', 'S2'] } };
    expect(grant(change)).toMatchObject({ decision: GRANT, charged: { policy: { id: 'web' } } });
  });

  test('is charged to no pool if it is for everybody, or for a group without a team', () => {
    expect(grant({}, acting({ kind: 'everybody' }))).toEqual({ decision: GRANT });
    expect(grant({}, acting({ kind: 'group', id: 'S2', handle: 'api-team' }))).toEqual({ decision: GRANT });
  });

  test('costs nothing as long as a person decides', () => {
    const prepared: PolicyDecision = { ...GRANT, kind: 'prepare' };
    expect(grant({ charges: [charge({ credits: 500 })] }, GROUP, prepared)).toEqual({ decision: prepared });
  });
});
