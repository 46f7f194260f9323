import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBudgetBench, stepsOf } from '../support/budgets/budget-model.ts';
import { availableEngines } from '../support/stores/databases.ts';

const RUNS = 1_000;

describe.each(availableEngines())('on %s', (engine) => {
  test(`${RUNS} months of budgets with late and restated days, edits, crashes and two replicas announce each crossed threshold exactly once`, async () => {
    const bench = await createBudgetBench(engine);
    await fc.assert(
      fc.asyncProperty(stepsOf, async (steps) => {
        expect(await bench.play(steps)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
    await bench.close();
  }, 900_000);
});
