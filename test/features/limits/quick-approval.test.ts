import { expect, test } from 'vitest';
import { canApproveAtOnce } from '../../../src/features/limits/card/quick-approval.ts';

type Facts = Parameters<typeof canApproveAtOnce>[0];

const evidence = {
  readAt: '2026-03-02T07:00:00Z',
  lastDay: '2026-03-01',
  shortDays: 7,
  longDays: 28,
  peopleWithCredits: 5,
  people: [],
  total: { people: 1, short: 300, long: 1_000, withoutCredits: 0, asked: 3_000 },
  belowUse: 0,
  outliers: [],
};

const facts = (changes: Partial<Facts> = {}): Facts => ({
  request: { state: 'pending', kind: 'ask' },
  people: [{ toValue: 3_000, removes: null }],
  evidence: { kind: 'read', evidence },
  open: [],
  ...changes,
});

test('one person’s request of up to three times their usage of 28 days is approved with one click', () => {
  expect(canApproveAtOnce(facts())).toBe(true);
  expect(canApproveAtOnce(facts({ people: [{ toValue: 3_001, removes: null }] }))).toBe(false);
});

test.for([
  [
    'of several people',
    facts({
      people: [
        { toValue: 1, removes: null },
        { toValue: 2, removes: null },
      ],
    }),
  ],
  ['from a list', facts({ request: { state: 'pending', kind: 'import' } })],
  ['that was decided', facts({ request: { state: 'denied', kind: 'ask' } })],
  ['with unreadable usage', facts({ evidence: { kind: 'unreadable', sentence: 'x' } })],
  ['with unpublished usage', facts({ evidence: { kind: 'nothing' } })],
  ['below their usage', facts({ evidence: { kind: 'read', evidence: { ...evidence, belowUse: 1 } } })],
  ['beside another one for the same person', facts({ open: ['r2'] })],
] as const)('a request %s needs a review', ([, needing]) => {
  expect(canApproveAtOnce(needing)).toBe(false);
});
