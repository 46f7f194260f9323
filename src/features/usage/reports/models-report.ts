import type { OrganizationFacts } from '../../../core/analytics/day-facts.ts';
import {
  NO_MODEL,
  type NamedFigure,
  amountsByName,
  breakdownOf,
  creditsCost,
  modelCredits,
} from '../../../core/figures/measures/breakdown.ts';
import {
  type ReportScope,
  dayRowsOf,
  faultsOf,
  figureOf,
  rowsWithin,
  sourceOf,
} from '../../../core/figures/measures/figures.ts';
import type { PriceList } from '../../../core/figures/money/price-list.ts';

export interface ModelLine extends NamedFigure {
  /** All tiers that the platform reported; a model may be used in several. */
  tiers: string[];
  /** undefined for credits without a model. */
  tokens?: { input: number; output: number };
}

export function buildModelsReport(
  { credits, prices }: Pick<OrganizationFacts, 'credits'> & { prices?: PriceList },
  scope: ReportScope,
) {
  const rows = rowsWithin(credits, scope.period);
  const items = rows.flatMap((row) => row.by_model);
  const input = amountsByName(items, (item) => [[item.model_id, item.input_tokens]]);
  const output = amountsByName(items, (item) => [[item.model_id, item.output_tokens]]);
  const tiersOf = (name: string) =>
    [...new Set(items.flatMap((item) => (item.model_id === name ? (item.model_tier ?? []) : [])))].toSorted();
  return {
    scope,
    credits: figureOf(credits, scope, (row) => row.billable_tokens),
    cost: creditsCost(prices, credits, scope.period),
    models: breakdownOf(credits, scope, modelCredits).map((model): ModelLine => {
      const line = { ...model, tiers: tiersOf(model.name) };
      if (model.name === NO_MODEL) return line;
      return { ...line, tokens: { input: input.get(model.name) ?? 0, output: output.get(model.name) ?? 0 } };
    }),
    days: dayRowsOf(credits, scope),
    source: sourceOf([credits], scope),
    faults: faultsOf({ credits }),
  };
}

export type ModelsReport = ReturnType<typeof buildModelsReport>;
