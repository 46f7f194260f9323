import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBudgetBench, stepsOf, type BudgetBench } from '../../support/budgets/budget-model.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { availableEngines } from '../../support/stores/databases.ts';

describe.each(availableEngines())('on %s', (engine) => {
  let bench: BudgetBench;
  beforeAll(async () => {
    bench = await createBudgetBench(engine);
  });
  afterAll(() => bench.close());

  test('whatever days come late, are restated, and whoever crashes or looks beside: each threshold that is crossed is told once, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(stepsOf, async (steps) => {
        expect(await bench.play(steps)).toEqual([]);
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});
