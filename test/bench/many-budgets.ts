/** Many budgets, and what their evaluation asks. It loads no code of the program, so that an earlier version can be measured with it. */
import type { Budget, BudgetSubject } from '../../src/features/alerts/budgets/core/budget.ts';
import type { EvaluationDeps } from '../../src/features/alerts/budgets/core/evaluation-deps.ts';

const GROUP_SIZE = 50;

/** @param emailOf by the number of a person in the subject of a budget */
export const evaluationDepsOf = (
  own: Pick<EvaluationDeps, 'db' | 'clock' | 'log' | 'days' | 'checkpoint'>,
  emailOf: (person: number) => string | undefined,
): EvaluationDeps => ({
  ...own,
  plannedSums: () => Promise.resolve([]),
  config: {
    peopleRole: 'manager',
    minGroup: 5,
    retentionDays: { people: 375, looks: 30, sessions: 30, deliveries: 90, audit: 730 },
  },
  people: {
    identify: () => Promise.reject(new Error('Identities are not read here')),
    teams: () => Promise.resolve([]),
    names: () => Promise.resolve(new Map()),
    describe: (id) => Promise.resolve({ name: id, email: emailOf(Number(id.slice(1))) }),
  },
});

export function budgetOf(index: number): Budget {
  return {
    id: `b${index}`,
    kind: 'budget',
    name: undefined,
    credits: 1_000_000 * (index + 1),
    period: { unit: index % 2 === 0 ? 'month' : 'quarter' },
    subject: subjectOf(index),
    thresholds: { actual: [50, 80, 100], forecast: [100] },
    price: undefined,
    namesPeople: false,
    channel: 'C1',
    owner: 'U1',
  };
}

function subjectOf(index: number): BudgetSubject {
  if (index % 2 === 0) return { kind: 'organization' };
  if (index % 10 === 1) return { kind: 'model', name: 'atlas-large' };
  return { kind: 'people', ids: Array.from({ length: GROUP_SIZE }, (_, one) => `U${index * GROUP_SIZE + one}`) };
}
