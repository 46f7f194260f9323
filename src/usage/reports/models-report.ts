import type { OrganizationFacts } from '../../analytics/facts.ts';
import type { CreditsRow } from '../../platform/endpoints/analytics-rows.ts';
import { modelCredits, NO_MODEL } from '../measures/amounts.ts';
import { amountsByName, breakdownOf, type NamedFigure } from '../measures/breakdown.ts';
import { dayRowsOf, type DayRow } from '../views/day-table.ts';
import {
  faultsOf,
  figureOf,
  rowsWithin,
  type FaultyPart,
  type Figure,
  type Known,
  type ReportScope,
} from '../measures/figures.ts';
import { sourceOf, type Source } from '../measures/source.ts';

/** A model's part of the credits. */
export interface ModelLine extends NamedFigure {
  /** All that the platform told; a model may be used in several. */
  tiers: string[];
  /** Missing for credits of which no model was told. */
  tokens?: { input: number; output: number };
}

export interface ModelsReport {
  scope: ReportScope;
  credits: Known<Figure>;
  models: ModelLine[];
  days: DayRow<CreditsRow>[];
  source: Source;
  faults: FaultyPart[];
}

/** Pure. */
export function buildModelsReport({ credits }: Pick<OrganizationFacts, 'credits'>, scope: ReportScope): ModelsReport {
  const rows = rowsWithin(credits, scope.period);
  const items = rows.flatMap((row) => row.by_model);
  const input = amountsByName(items, (item) => [[item.model_id, item.input_tokens]]);
  const output = amountsByName(items, (item) => [[item.model_id, item.output_tokens]]);
  const tiersOf = (name: string) =>
    [...new Set(items.flatMap((item) => (item.model_id === name ? (item.model_tier ?? []) : [])))].toSorted();
  return {
    scope,
    credits: figureOf(credits, scope, (row) => row.billable_tokens),
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
