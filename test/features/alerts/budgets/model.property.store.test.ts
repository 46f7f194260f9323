import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBudgetBench, stepsOf, type BudgetBench } from '../../../support/budgets/budget-model.ts';
import { propertyRuns } from '../../../support/property-runs.ts';
import { availableEngines } from '../../../support/stores/databases.ts';

describe.each(availableEngines())('on %s', (engine) => {
  let bench: BudgetBench;
  beforeAll(async () => {
    bench = await createBudgetBench(engine);
  });
  afterAll(() => bench.close());

  test('each crossed threshold is announced exactly once, in spite of late days, restated days, crashes and early evaluations', async () => {
    await fc.assert(
      fc.asyncProperty(stepsOf, async (steps) => {
        expect(await bench.play(steps)).toEqual([]);
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});
