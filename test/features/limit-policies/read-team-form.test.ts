import { describe, expect, test } from 'vitest';
import {
  FIRST_VALUES,
  policyFormView,
  type PolicyFormValues,
} from '../../../src/features/limit-policies/screens/policy-form.ts';
import { draftOf, problemsOf } from '../../../src/features/limit-policies/screens/read-policy-form.ts';

const TEAM: PolicyFormValues = {
  ...FIRST_VALUES,
  kind: 'team',
  name: 'Web',
  subject: 'S1',
  leads: ['U1'],
  pool: '10m',
  cap: '2m',
  order: '1',
};
const NO_AMOUNT = expect.stringContaining('Type a number from 0 up');

describe('the form of a team', () => {
  const offered = (
    kind: string,
    teams = [{ id: 'S1', handle: 'web-team', members: [], emails: [], isChosen: true }],
  ) => {
    const facts = { teams, timeZone: 'UTC', showsAllFields: false };
    const view = JSON.stringify(policyFormView(facts, { ...TEAM, kind }, ''));
    return ['web-team', 'Everybody', 'One person'].filter((text) => view.includes(text));
  };

  test('offers teams alone, and the other kinds everybody and one person, too', () => {
    expect(offered('team')).toEqual(['web-team']);
    expect(offered('automatic')).toEqual(['web-team', 'Everybody', 'One person']);
    expect(offered('team', [])).toEqual(['Everybody', 'One person']);
  });

  test.each<[change: Partial<PolicyFormValues>, problems: object]>([
    [{}, {}],
    [{ pool: '' }, {}],
    [{ leads: [] }, { leads: 'Choose a lead.' }],
    [{ leads: Array.from({ length: 11 }, (_, index) => `U${index}`) }, { leads: 'Choose at most 10.' }],
    [{ subject: 'everybody' }, { subject: 'Choose a team.' }],
    [
      { pool: '0', cap: '0' },
      { pool: 'Type more than 0.', cap: 'Type more than 0.' },
    ],
    [
      { pool: '-5', cap: '1e9' },
      { pool: NO_AMOUNT, cap: NO_AMOUNT },
    ],
    [
      { pool: '9'.repeat(30), cap: '0.001' },
      { pool: NO_AMOUNT, cap: NO_AMOUNT },
    ],
    [{ cap: '' }, { cap: expect.any(String) }],
    [{ order: '0' }, { order: 'Type a number from 1 to 99.' }],
    [{ order: '1.5' }, { order: 'Type a number from 1 to 99.' }],
    [{ order: '100' }, { order: 'Type a number from 1 to 99.' }],
    [{ order: '-1' }, { order: 'Type a number from 1 to 99.' }],
  ])('with %j has the problems %j', (change, problems) => {
    expect(problemsOf({ ...TEAM, ...change })).toEqual(problems);
  });

  test('without problems becomes rules, also without a pool', () => {
    const rules = { kind: 'team', leads: ['U1'], pool: 10_000_000, cap: 2_000_000, order: 1, channel: null };
    expect(draftOf(TEAM, 'web-team')).toMatchObject({ name: 'Web', rules });
    expect(draftOf({ ...TEAM, pool: '' }, 'web-team')).toMatchObject({ rules: { ...rules, pool: null } });
  });
});
