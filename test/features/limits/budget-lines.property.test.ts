import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mrkdwnOf } from '../../../src/core/base/text/markup.ts';
import { admittedAmount } from '../../../src/core/figures/groups/admission.ts';
import type { KnownLimit } from '../../../src/core/figures/known-limit.ts';
import { budgetLines, budgetsAtRequest } from '../../../src/features/limits/card/budget-lines.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const AT = new Date('2026-03-02T07:00:00Z');
const set = (value: number): KnownLimit => ({
  kind: 'set',
  value,
  permanent: value,
  until: undefined,
  at: AT,
  requestId: 'r',
});
const budget = (spent: number, credits: number, people?: readonly string[]) => ({
  title: 'Monthly budget',
  people: people && new Set(people),
  figures: { spent: admittedAmount.parse(spent), credits, through: '2026-03-01' },
});
const person = (email: string, toValue: number, removes = 0) => ({ email, toValue, removes });
const said = (...query: Parameters<typeof budgetsAtRequest>) => budgetLines(budgetsAtRequest(...query)).map(mrkdwnOf);

const M = 1_000_000;
const NO_LIMIT: KnownLimit = { kind: 'none' };

test.each<[string, KnownLimit, number, string]>([
  [
    'a raise counts beyond the limit of today',
    set(5 * M),
    6 * M,
    '2 M left; 1 M if all of this request (1 M more) is used.',
  ],
  ['a first limit counts in full', NO_LIMIT, M, '2 M left; 1 M if all of this request (1 M more) is used.'],
  [
    'more than is left is said',
    set(5 * M),
    8 * M,
    '⚠️ *Monthly budget:* 8 M of 10 M credits used, as of Sun 1 Mar. 2 M left; this request adds up to 3 M, more than that.',
  ],
])('%s', (_title, limit, amount, words) => {
  const [line, ...others] = said([budget(8 * M, 10 * M)], [person('mia@acme.example', amount)], () => limit);
  expect(others).toEqual([]);
  expect(line).toContain(words);
});

test('nothing is said of a request that adds nothing: a lower limit, or one for somebody without', () => {
  const budgets = [budget(8 * M, 10 * M)];
  expect(said(budgets, [person('mia@acme.example', M)], () => set(5 * M))).toEqual([]);
  expect(
    said(budgets, [person('mia@acme.example', M)], () => ({ kind: 'unlimited', at: AT, isCurrent: true })),
  ).toEqual([]);
});

test('a budget that is used up, and one without a bound, say so', () => {
  expect(said([budget(10 * M, 10 * M)], [person('mia@acme.example', M)], () => NO_LIMIT)[0]).toMatch(
    /^🛑 .*nothing is left\.$/,
  );
  expect(said([budget(8 * M, 10 * M)], [person('mia@acme.example', 0, 1)], () => set(M))[0]).toContain(
    'nothing bounds',
  );
});

test('after a removal, the limit for everybody bounds what is used', () => {
  const budgets = [budget(8 * M, 10 * M)];
  const removal = [person('mia@acme.example', 0, 1)];
  expect(said(budgets, removal, () => set(M), 2 * M)[0]).toContain('1 M if all of this request (1 M more) is used.');
  expect(said(budgets, removal, () => set(5 * M), 2 * M)).toEqual([]);
});

test('a group counts only its own people, and the sums are those of its raises', () => {
  const people = fc.uniqueArray(
    fc.record({ name: fc.integer({ min: 0, max: 9 }), from: fc.nat(9 * M), to: fc.nat(9 * M) }),
    {
      selector: ({ name }) => name,
      minLength: 1,
    },
  );
  fc.assert(
    fc.property(people, fc.array(fc.integer({ min: 0, max: 9 })), (asked, members) => {
      const emails = members.map((name) => `p${name}@acme.example`);
      const limits = new Map(asked.map(({ name, from }) => [`p${name}@acme.example`, set(from)]));
      const [one] = budgetsAtRequest(
        [budget(0, M, emails)],
        asked.map(({ name, to }) => person(`p${name}@acme.example`, to)),
        (email) => limits.get(email) ?? NO_LIMIT,
      );
      let expected = 0;
      for (const { name, from, to } of asked) if (members.includes(name) && to > from) expected += to - from;
      expect(one?.added).toBe(expected);
    }),
    { numRuns: propertyRuns(300) },
  );
});
