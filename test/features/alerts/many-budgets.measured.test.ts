import { expect, test } from 'vitest';
import { reportBudgets } from '../../bench/budgets.ts';

test('a thousand budgets of a morning, most of which have passed nothing, let other work run in between', async () => {
  const { faults } = await reportBudgets(1_000, 1_000);
  expect(faults).toEqual([]);
}, 120_000);
