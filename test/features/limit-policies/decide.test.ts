import { describe, expect, test } from 'vitest';
import { decideByPolicy, isWithinHours, type PolicyFacts } from '../../../src/features/limit-policies/rules/decide.ts';
import type { ActingPolicy, ActingRules } from '../../../src/features/limit-policies/rules/policy-rules.ts';
import { undoEndOf } from '../../../src/features/limit-policies/rules/windows.ts';
import { backTestOf, dryRunDaysOf, worstCaseOf } from '../../../src/features/limit-policies/back-test/back-test.ts';
import {
  factsOfPast,
  replay,
  REPLAYED_DECISION,
  type PastCase,
} from '../../../src/features/limit-policies/back-test/replay.ts';
import { dryRunWords } from '../../../src/features/limit-policies/screens/back-test-view.ts';
import { LIVE_DECISION } from '../../../src/features/limit-policies/live/decide-request.ts';
import { policyOnCard } from '../../../src/features/limit-policies/screens/card-lines.ts';
import { mrkdwnOf } from '../../../src/core/base/text/markup.ts';
import { declaredLimit, knownLimit, NO_LIMIT } from '../../support/limits/known-limit.ts';
import { FIRST_LIMITS, RAISES } from '../../support/limits/policy-scene.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const policyOf = (rules: ActingRules, id = 'p1', more: Partial<ActingPolicy> = {}): ActingPolicy => ({
  id,
  name: id,
  version: 3,
  rules,
  isHeld: false,
  period: 'month',
  secondAbove: undefined,
  ...more,
});

const facts = (change: Partial<PolicyFacts> = {}): PolicyFacts => ({
  now: NOW,
  timeZone: 'UTC',
  trigger: 'request',
  areOn: true,
  areLimitsOnlyHere: true,
  shownLimits: 'not_shown',
  secondAbove: undefined,
  hasGap: false,
  request: { people: 1, amount: 1_200, until: undefined },
  person: {
    email: 'mia@acme.example',
    emails: ['mia@acme.example'],
    slackIds: ['UMIA'],
    isAdmin: false,
    groups: ['S1'],
    firstSeenOn: '2026-03-08',
  },
  limit: knownLimit(1_000),
  figuresUntil: '2026-03-09',
  hasOpenRequest: false,
  hasUnknownOutcome: false,
  period: 'month',
  grants: [],
  policies: [policyOf(RAISES)],
  ...change,
});
const reasonFor = (change: Partial<PolicyFacts>) => {
  const decision = decideByPolicy(facts(change));
  return decision.kind === 'person' ? decision.reason : decision.kind;
};
const past = (hours: number, credits = 100, email = 'mia@acme.example') => ({
  email,
  slackId: null,
  isRaise: true,
  at: new Date(NOW.getTime() - hours * 3_600_000),
  credits,
});

test('a raise within the rules is granted until the period ends, with the limit afterwards', () => {
  expect(decideByPolicy(facts())).toEqual({
    kind: 'grant',
    policy: { id: 'p1', name: 'p1', version: 3 },
    value: 1_200,
    end: { until: new Date('2026-04-01T00:00:00Z'), returnTo: 1_000 },
    credits: 200,
  });
  const until = new Date('2026-03-12T00:00:00Z');
  expect(decideByPolicy(facts({ request: { people: 1, amount: 1_200, until } }))).toMatchObject({ end: { until } });
});

describe('a person decides', () => {
  const person = facts().person;
  test.each<[string, Partial<PolicyFacts>]>([
    ['off', { areOn: false }],
    ['no_policy', { policies: [] }],
    ['no_policy', { policies: [policyOf(FIRST_LIMITS)] }],
    ['several_people', { request: { people: 2, amount: 1_200, until: undefined } }],
    ['gap', { hasGap: true }],
    ['admin', { person: { ...person, isAdmin: true } }],
    ['admin_unknown', { person: { ...person, isAdmin: undefined } }],
    ['open_request', { hasOpenRequest: true }],
    ['unknown_outcome', { hasUnknownOutcome: true }],
    ['old_figures', { figuresUntil: '2026-03-07' }],
    ['old_figures', { figuresUntil: undefined }],
    ['no_value', { limit: NO_LIMIT }],
    ['declared', { limit: declaredLimit(1_000) }],
    ['period_unknown', { period: undefined, policies: [policyOf(RAISES, 'p1', { period: undefined })] }],
    ['period_changed', { period: 'week' }],
    ['period_changed', { period: 'month from 15' }],
    ['period_changed', { period: undefined }],
    ['held', { policies: [policyOf(RAISES, 'p1', { isHeld: true })] }],
    // Percent counts from the permanent limit, and the raise ends with the temporary one.
    [
      'above_percent',
      {
        limit: knownLimit(10_000, { permanent: 1_000, until: new Date('2026-03-17T09:00:00Z') }),
        request: { people: 1, amount: 14_000, until: undefined },
        policies: [policyOf({ ...RAISES, cap: 100_000 })],
      },
    ],
    ['temporary_limit', { limit: knownLimit(1_100, { permanent: 1_000, until: new Date('2026-04-02T00:00:00Z') }) }],
    [
      'temporary_limit',
      {
        limit: knownLimit(1_100, { permanent: 1_000, until: new Date('2026-03-20T00:00:00Z') }),
        request: { people: 1, amount: 1_200, until: new Date('2026-03-12T00:00:00Z') },
      },
    ],
    ['temporary_limit', { limit: knownLimit(1_100, { permanent: 1_000, until: new Date('2026-03-09T00:00:00Z') }) }],
    ['not_a_raise', { request: { people: 1, amount: 1_000, until: undefined } }],
    ['above_percent', { request: { people: 1, amount: 1_501, until: undefined } }],
    ['above_cap', { limit: knownLimit(9_000), request: { people: 1, amount: 10_001, until: undefined } }],
    ['second_approval', { secondAbove: 1_199 }],
    ['second_approval', { policies: [policyOf(RAISES, 'p1', { secondAbove: 1_199 })] }],
    ['times', { grants: [past(1), past(24 * 7 - 1)] }],
    [
      'times',
      {
        person: { ...person, emails: [person.email, 'mia@old.example'] },
        grants: [past(1), past(2, 100, 'mia@old.example')],
      },
    ],
    ['times', { grants: [past(1), { ...past(2, 100, 'mia@former.example'), slackId: 'UMIA' }] }],
    ['grants_a_day', { policies: [policyOf({ ...RAISES, grantsADay: 1 })], grants: [past(23, 1, 'x@acme.example')] }],
    [
      'credits_a_period',
      { policies: [policyOf({ ...RAISES, creditsAPeriod: 299 })], grants: [past(200, 100, 'x@acme.example')] },
    ],
  ])('for the reason %s', (reason, change) => {
    expect(reasonFor(change)).toBe(reason);
  });

  test('if Slack did not return the group of a policy, and only then', () => {
    const group = policyOf({ ...RAISES, subject: { kind: 'group', id: 'S9', handle: 'gone' } });
    expect(reasonFor({ policies: [group], person: { ...person, groups: undefined } })).toBe('groups_unknown');
    expect(reasonFor({ person: { ...person, groups: undefined } })).toBe('grant');
  });

  test('not yet at the edges of the windows', () => {
    expect(reasonFor({ grants: [past(1), past(24 * 7)] })).toBe('grant');
    expect(
      reasonFor({ policies: [policyOf({ ...RAISES, grantsADay: 1 })], grants: [past(24, 1, 'x@acme.example')] }),
    ).toBe('grant');
    expect(
      reasonFor({
        policies: [policyOf({ ...RAISES, creditsAPeriod: 300 })],
        grants: [past(200, 100, 'x@acme.example')],
      }),
    ).toBe('grant');
    expect(reasonFor({ figuresUntil: '2026-03-08' })).toBe('grant');
    expect(reasonFor({ secondAbove: 1_200 })).toBe('grant');
  });
});

test('a raise on a temporary limit ends with it, returns to the permanent limit and counts from there', () => {
  const until = new Date('2026-03-20T00:00:00Z');
  expect(decideByPolicy(facts({ limit: knownLimit(1_100, { permanent: 1_000, until }) }))).toMatchObject({
    kind: 'grant',
    end: { until, returnTo: 1_000 },
    credits: 200,
  });
});

test('the raises of one period release what the highest one does, and a first limit is none of them', () => {
  const limit = knownLimit(1_150, { permanent: 1_000, until: new Date('2026-04-01T00:00:00Z') });
  const policies = [policyOf({ ...RAISES, times: 9 })];
  const inFebruary = past(24 * 10, 400);
  const grants = [past(24, 150), { ...past(48, 1_000), isRaise: false }, inFebruary];
  expect(decideByPolicy(facts({ limit, policies, grants }))).toMatchObject({ credits: 50 });
});

describe('the agreement of two admins is not widened by one', () => {
  const group = { ...RAISES, percent: 10, subject: { kind: 'group' as const, id: 'S1', handle: 'web' } };

  test('a held policy keeps its people from the policy for everybody', () => {
    expect(reasonFor({ policies: [policyOf(RAISES)] })).toBe('grant');
    expect(reasonFor({ policies: [policyOf(RAISES), policyOf(group, 'p2', { isHeld: true })] })).toBe('held');
  });

  test('a held policy still counts with its caps, over the period that was agreed on', () => {
    const other = { ...RAISES, subject: { kind: 'group' as const, id: 'S9', handle: 'x' }, grantsADay: 1 };
    const grants = [past(23, 1, 'x@acme.example')];
    expect(reasonFor({ policies: [policyOf(RAISES), policyOf(other, 'p2', { isHeld: true })], grants })).toBe(
      'grants_a_day',
    );
    const capped = policyOf({ ...other, grantsADay: 100, creditsAPeriod: 299 }, 'p2', { isHeld: true, period: 'year' });
    const earlier = [past(24 * 60, 100, 'x@acme.example')];
    expect(reasonFor({ policies: [policyOf(RAISES), capped], grants: earlier })).toBe('credits_a_period');
  });
});

test('without the declaration a policy only prepares, also beyond its caps', () => {
  expect(reasonFor({ areLimitsOnlyHere: false })).toBe('prepare');
});

test('the most specific policy decides alone, then the lowest result, then the first id', () => {
  const everybody = policyOf(RAISES, 'everybody');
  const group = policyOf({ ...RAISES, percent: 10, subject: { kind: 'group', id: 'S1', handle: 'web' } }, 'group');
  const person = policyOf({ ...RAISES, percent: 5, subject: { kind: 'person', slackId: 'UMIA' } }, 'person');
  const deciding = (...policies: PolicyFacts['policies']) => decideByPolicy(facts({ policies })).policy?.id;
  expect(deciding(everybody, group, person)).toBe('person');
  expect(deciding(everybody, group)).toBe('group');
  expect(reasonFor({ policies: [everybody, group] })).toBe('above_percent');
  const lower = policyOf({ ...RAISES, percent: 30 }, 'zz-lower');
  expect(deciding(everybody, lower)).toBe('zz-lower');
  expect(deciding(policyOf(RAISES, 'b'), policyOf(RAISES, 'a'))).toBe('a');
});

test('a first limit is for a new person who never had one, nor a grant', () => {
  const first = { trigger: 'first_seen' as const, policies: [policyOf(FIRST_LIMITS)], limit: NO_LIMIT };
  expect(decideByPolicy(facts(first))).toMatchObject({ kind: 'grant', value: 1_000, end: undefined, credits: 1_000 });
  expect(reasonFor({ ...first, limit: knownLimit(1) })).toBe('has_value');
  expect(reasonFor({ ...first, grants: [past(24 * 300)] })).toBe('has_value');
  const { person } = facts();
  expect(reasonFor({ ...first, person: { ...person, firstSeenOn: '2026-03-02' } })).toBe('not_new');
  expect(reasonFor({ ...first, person: { ...person, firstSeenOn: undefined } })).toBe('not_new');
  expect(reasonFor({ ...first, trigger: 'period_start' })).toBe('no_policy');
});

describe('the hours of a policy', () => {
  const night = { weekdays: [6], from: '22:00', to: '04:00' };
  test('are local, also in the night in which clocks are changed', () => {
    // In Berlin, 02:00 to 03:00 does not exist on 29 March 2026, and exists twice on 25 October 2026.
    expect(isWithinHours(night, new Date('2026-03-28T21:00:00Z'), 'Europe/Berlin')).toBe(true);
    expect(isWithinHours(night, new Date('2026-03-29T01:59:00Z'), 'Europe/Berlin')).toBe(true);
    expect(isWithinHours(night, new Date('2026-03-29T02:00:00Z'), 'Europe/Berlin')).toBe(false);
    expect(isWithinHours(night, new Date('2026-10-25T02:59:00Z'), 'Europe/Berlin')).toBe(true);
    expect(isWithinHours(night, new Date('2026-10-25T03:00:00Z'), 'Europe/Berlin')).toBe(false);
  });

  test('begin and end at their minutes, on their days', () => {
    const day = { weekdays: [2], from: '08:00', to: '18:00' };
    expect(isWithinHours(day, new Date('2026-03-10T08:00:00Z'), 'UTC')).toBe(true);
    expect(isWithinHours(day, new Date('2026-03-10T18:00:00Z'), 'UTC')).toBe(false);
    expect(isWithinHours(day, new Date('2026-03-11T09:00:00Z'), 'UTC')).toBe(false);
  });

  test('keep a request outside of them for a person', () => {
    const schedule = policyOf({ ...RAISES, kind: 'schedule', weekdays: [1], from: '08:00', to: '18:00' });
    expect(reasonFor({ policies: [schedule] })).toBe('outside_hours');
  });

  test('do not move the end of Undo, which is at the second daily line', () => {
    expect(undoEndOf(new Date('2026-03-28T12:00:00Z'), 'Europe/Berlin').toISOString()).toBe('2026-03-30T07:00:00.000Z');
  });
});

describe('the back-test', () => {
  const caseAt = (day: number, change: Partial<PastCase> = {}): PastCase => ({
    at: new Date(`2026-02-${String(day).padStart(2, '0')}T12:00:00Z`),
    email: `p${day}@acme.example`,
    emails: [`p${day}@acme.example`],
    slackId: undefined,
    amount: 1_200,
    until: undefined,
    limit: knownLimit(1_000),
    firstSeenOn: undefined,
    isAdmin: false,
    groups: [],
    requestId: `r${day}`,
    openRequests: [],
    admins: 'as_requested',
    ...change,
  });
  const settings = {
    timeZone: 'UTC',
    period: 'month' as const,
    secondAbove: undefined,
  };
  const worst = { people: 1, times: 1, credits: 500 };

  test('replays the very function that decides live', () => {
    expect(REPLAYED_DECISION).toBe(LIVE_DECISION);
  });

  test('decides each past case as the live function does with the same facts', () => {
    const policy = policyOf({ ...RAISES, times: 1, creditsAPeriod: 500 });
    const cases = [1, 2, 3, 4, 5].map((day) => caseAt(day, day === 2 ? { amount: 9_000 } : {}));
    const grants: PolicyFacts['grants'][number][] = [];
    const grantedRequests = new Set<string>();
    for (const { past: one, grant, reason } of replay(cases, policy, settings)) {
      const live = LIVE_DECISION(factsOfPast(one, policy, settings, { grants, grantedRequests }));
      expect(live.kind === 'person' ? live.reason : undefined).toBe(reason);
      if (grant) grants.push(grant);
    }
    expect(grants).toHaveLength(2);
  });

  test.each([
    // What admins decided of the first request, and the limit that the second one recorded afterwards.
    ['denied', { admins: 'less' as const }, 1_000],
    ['gave half', { admins: 'less' as const, decided: { value: 1_100, until: undefined } }, 1_100],
    ['approved', { decided: { value: 1_200, until: undefined } }, 1_200],
  ])('a second request counts from what the replay granted, though admins %s', (_, first, recorded) => {
    const own = { email: 'mia@acme.example', emails: ['mia@acme.example'] };
    const replayed = replay(
      [
        caseAt(3, { ...own, ...first }),
        caseAt(9, { ...own, amount: 1_200, limit: knownLimit(recorded) }),
        caseAt(20, { ...own, amount: 1_300, limit: knownLimit(recorded) }),
      ],
      policyOf({ ...RAISES, times: 9 }),
      settings,
    );
    expect(replayed.map(({ grant, reason }) => grant?.credits ?? reason)).toEqual([200, 'not_a_raise', 100]);
  });

  test('a request that the replay granted is not open afterwards, though an admin took days to decide it', () => {
    const own = { email: 'mia@acme.example', emails: ['mia@acme.example'] };
    const cases = [
      caseAt(3, own),
      caseAt(4, { ...own, amount: 1_300, openRequests: ['r3'] }),
      caseAt(5, { ...own, amount: 9_000, openRequests: ['r3', 'r4'] }),
      caseAt(6, { ...own, amount: 1_400, openRequests: ['r3', 'r4', 'r5'] }),
      caseAt(9, { ...own, amount: 1_400, openRequests: ['r4'] }),
    ];
    const replayed = replay(cases, policyOf({ ...RAISES, times: 9 }), settings);
    // The policy leaves the third one to a person, so it stays open for the fourth.
    expect(replayed.map(({ grant, reason }) => grant?.credits ?? reason)).toEqual([
      200,
      100,
      'above_percent',
      'open_request',
      100,
    ]);
  });

  test('a raise that the replay granted ends with its period', () => {
    const own = { email: 'mia@acme.example', emails: ['mia@acme.example'], amount: 1_200 };
    const march = { ...own, at: new Date('2026-03-02T12:00:00Z') };
    const replayed = replay([caseAt(3, own), caseAt(9, march)], policyOf({ ...RAISES, times: 9 }), settings);
    expect(replayed.map(({ grant, reason }) => grant?.credits ?? reason)).toEqual([200, 200]);
  });

  test('a limit that changed without a request of the replay counts as recorded', () => {
    const own = { email: 'mia@acme.example', emails: ['mia@acme.example'] };
    const replayed = replay(
      [
        caseAt(3, { ...own, decided: { value: 1_200, until: undefined } }),
        caseAt(9, { ...own, amount: 2_200, limit: knownLimit(2_000) }),
      ],
      policyOf({ ...RAISES, times: 9 }),
      settings,
    );
    expect(replayed.map(({ grant, reason }) => grant?.credits ?? reason)).toEqual([200, 0]);
  });

  test('counts grants, released credits and what admins decided', () => {
    const cases = [
      caseAt(1),
      caseAt(2, { admins: 'less' }),
      caseAt(3, { amount: 5_000 }),
      caseAt(4, { amount: 5_000, admins: 'less' }),
      caseAt(5, { limit: NO_LIMIT }),
    ];
    const result = backTestOf(
      replay(cases, policyOf(RAISES), settings),
      { first: '2026-01-01', last: '2026-03-31' },
      worst,
    );
    expect(result).toMatchObject({ cases: 5, isFew: true, grants: 2, people: 2, credits: 400 });
    expect(result.compared).toEqual({ agreed: 1, stricter: 1, looser: 2 });
    expect(result.reasons).toEqual([
      { reason: 'above_percent', count: 2 },
      { reason: 'no_value', count: 1 },
    ]);
    expect(dryRunDaysOf(RAISES, result)).toBe(14);
    expect(dryRunDaysOf({ ...RAISES, dryRunDays: 7 }, { ...result, isFew: false })).toBe(7);
    expect(dryRunWords({ ...RAISES, dryRunDays: 7 }, result)).toBe(
      'Its dry run takes 14 days instead of 7, because the past says too little.',
    );
    expect(dryRunWords({ ...RAISES, dryRunDays: 14 }, result)).toBe('Its dry run takes 14 days.');
  });

  test('sums up the worst case: each period that 31 days touch begins again at the permanent limit', () => {
    const people = [[knownLimit(1_000)], [NO_LIMIT], [knownLimit(9_000)], [declaredLimit(5)]];
    const rules = { ...RAISES, days: 31, times: 2 };
    expect(worstCaseOf(rules, people, 'month')).toEqual({ people: 2, times: 2, credits: 3_000, periods: 3 });
    expect(worstCaseOf({ ...rules, times: 9 }, people, 'week')).toMatchObject({ times: 6, credits: 9_000 });
    expect(worstCaseOf({ ...rules, creditsAPeriod: 700 }, people, 'quarter')).toMatchObject({ credits: 1_400 });
    expect(worstCaseOf(rules, people, undefined)).toMatchObject({ people: 0, credits: 0 });
    const first = [[NO_LIMIT], [knownLimit(5)], [NO_LIMIT, NO_LIMIT], [NO_LIMIT, declaredLimit(5)]];
    expect(worstCaseOf(FIRST_LIMITS, first, 'month')).toEqual({ people: 2, times: 1, credits: 2_000, periods: 3 });
  });
});

test('the card says that a person decides after a stop, and that a prepared raise has no end', () => {
  const row = {
    requestId: 'r',
    email: 'mia@acme.example',
    slackId: null,
    outcome: 'grant' as const,
    reason: null,
    policyId: 'p1',
    policyName: 'Small raises',
    policyVersion: 2,
    credits: 200,
    dryRun: null,
    requestedUntil: null,
    requestedReturn: null,
    at: NOW.toISOString(),
  };
  const card = policyOnCard(row, { kind: 'ask', state: 'pending', policyId: null, until: null }, undefined);
  expect(card.lines.map((line) => mrkdwnOf(line)).join()).toContain(
    'was stopped before it was sent. A person decides.',
  );
  const prepared = { ...row, outcome: 'prepare' as const };
  const linesOf = (until: string | null) =>
    policyOnCard(prepared, { kind: 'ask', state: 'pending', policyId: null, until }, undefined)
      .lines.map((line) => mrkdwnOf(line))
      .join();
  expect(linesOf(null)).toContain('until the period of limits ends');
  expect(linesOf(null)).toContain('If you approve it, it has no end.');
  expect(linesOf(NOW.toISOString())).not.toContain('no end');
  expect(policyOnCard(row, { kind: 'ask', state: 'applied', policyId: 'p1', until: null }, undefined).lines).toEqual(
    [],
  );
});
