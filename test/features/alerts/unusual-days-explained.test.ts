import { expect, test } from 'vitest';
import type { CreditsRow } from '../../../src/core/platform/endpoints/analytics-rows.ts';
import { plusDays } from '../../../src/core/base/time/calendar.ts';
import { modelMoves } from '../../../src/features/alerts/unusual-days/explain.ts';

const LAST = '2026-03-17';

const NO_TOKENS = { input_tokens: 0, output_tokens: 0 };

const dayWith = (date: string, models: [model: string, tier: string, credits: number][]): CreditsRow => ({
  ...NO_TOKENS,
  date,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  billable_tokens: models.reduce((sum, [, , credits]) => sum + credits, 0),
  by_model: models.map(([model_id, model_tier, billable_tokens]) => ({
    ...NO_TOKENS,
    model_id,
    model_tier,
    billable_tokens,
  })),
});

test('a model that a day lists in two tiers is reported with the sum of both', async () => {
  const rows = [
    dayWith(plusDays(LAST, -7), [['atlas-large', 'core', 100]]),
    dayWith(LAST, [
      ['atlas-large', 'premium', 900],
      ['atlas-large', 'core', 300],
    ]),
  ];
  const credits = () => Promise.resolve({ kind: 'read' as const, rows, readAt: new Date(0) });
  const moves = await modelMoves({ credits }, { first: plusDays(LAST, -28), last: LAST });
  expect(moves).toEqual([{ name: 'atlas-large', now: 1_200, usual: 100 }]);
});
