import { describe, expect, test } from 'vitest';
import { isLeadOf } from '../../../src/features/limit-policies/rules/decide-team.ts';
import { compareBounds, type TeamBounds } from '../../../src/features/limit-policies/rules/lower-team.ts';
import type { TeamRules } from '../../../src/features/limit-policies/rules/policy-rules.ts';
import {
  policyTransitionOf,
  whyNotLowered,
  type LimitsOfLeads,
  type PolicyState,
} from '../../../src/features/limit-policies/rules/policy-states.ts';

const RULES: TeamRules = {
  kind: 'team',
  subject: { kind: 'group', id: 'S1', handle: 'web-team' },
  pool: 100,
  cap: 50,
  leads: ['U1'],
  channel: null,
  order: 1,
};
const groupOf = (members: string[]) => [{ id: 'S1', handle: 'web-team', name: 'Web', members, emails: [] }];

describe('who lowers what bounds the leads of a team', () => {
  test.each<[state: PolicyState, isLead: boolean | undefined, reason: string | undefined]>([
    ['active', true, undefined],
    ['active', false, 'not_lead'],
    ['active', undefined, 'leads_unknown'],
    ['paused', true, 'not_active'],
    ['draft', true, 'not_active'],
    ['paused', false, 'not_lead'],
    ['removed', true, 'removed'],
    ['removed', false, 'removed'],
  ])(
    'the form of a team that is %s, for a lead (%s): %s, before it opens and when it is sent',
    (state, isLead, reason) => {
      expect(whyNotLowered(state, { isLead, change: undefined })).toBe(reason);
      const event = { kind: 'lower' as const, lowering: { isLead, change: 'lowered' as const } };
      const facts = { state, draftedAt: new Date(0), hasBackTest: true, hold: undefined };
      expect(policyTransitionOf(facts, event, new Date(1))).toEqual(
        reason === undefined ? { kind: 'moved', state: 'active', isAlone: false } : { kind: 'refused', reason },
      );
    },
  );

  test.each<LimitsOfLeads>(['raised', 'kept'])('what is sent and would be %s is refused', (change) => {
    expect(whyNotLowered('active', { isLead: true, change })).toBe(change);
  });

  test('a lead is one only while they are a member of the group, and while Slack says so', () => {
    expect(isLeadOf(RULES, 'U1', groupOf(['U1', 'U2']))).toBe(true);
    expect(isLeadOf(RULES, 'U1', groupOf(['U2']))).toBe(false);
    expect(isLeadOf(RULES, 'U2', groupOf(['U1', 'U2']))).toBe(false);
    expect(isLeadOf(RULES, 'U1', [])).toBe(false);
    expect(isLeadOf(RULES, 'U1', undefined)).toBeUndefined();
  });
});

describe('how the bounds of the leads change', () => {
  test.each<[after: TeamBounds, change: LimitsOfLeads]>([
    [{ pool: 100, cap: 50 }, 'kept'],
    [{ pool: 99, cap: 50 }, 'lowered'],
    [{ pool: 100, cap: 49 }, 'lowered'],
    [{ pool: 101, cap: 1 }, 'raised'],
    [{ pool: 1, cap: 51 }, 'raised'],
    [{ pool: null, cap: 50 }, 'raised'],
    [{ pool: null, cap: 1 }, 'raised'],
  ])('from a pool of 100 and a cap of 50 to %j: %s', (after, change) => {
    expect(compareBounds(RULES, after)).toBe(change);
  });

  test('a first pool lowers them, and no pool keeps them', () => {
    expect(compareBounds({ pool: null, cap: 50 }, { pool: 1e12, cap: 50 })).toBe('lowered');
    expect(compareBounds({ pool: null, cap: 50 }, { pool: null, cap: 50 })).toBe('kept');
  });
});
