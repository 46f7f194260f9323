import type { DailyCreditsRow, OrganizationFacts, Part } from '../../../core/analytics/day-facts.ts';
import type { CreditsRow } from '../../../core/platform/endpoints/analytics-rows.ts';
import { modelCredits, tierCredits } from '../../../core/figures/measures/amounts.ts';
import { breakdownOf } from '../../../core/figures/measures/breakdown.ts';
import { dayRowsOf } from '../../../core/figures/measures/day-rows.ts';
import { weekendBand } from '../../../core/figures/insight/unusual.ts';
import {
  faultsOf,
  figureOf,
  knownOf,
  rowsWithin,
  type DatedRow,
  type Measurement,
  type ReportScope,
} from '../../../core/figures/measures/figures.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import type { PriceList } from '../../../core/figures/money/price-list.ts';
import { creditsCost, creditsPartCosts } from '../../../core/figures/measures/report-costs.ts';
import { sourceOf } from '../../../core/figures/measures/source.ts';

export function buildCreditsReport(
  facts: Pick<OrganizationFacts, 'credits' | 'activity'> & {
    history?: Part<DailyCreditsRow>;
    prices?: PriceList | undefined;
  },
  scope: ReportScope,
) {
  const { credits, activity, history, prices } = facts;
  const figure = (measure: (row: CreditsRow) => number) => figureOf(credits, scope, measure);
  return {
    scope: history ? { ...scope, usual: weekendBand(history, scope.period) } : scope,
    credits: figure((row) => row.billable_tokens),
    days: dayRowsOf(credits, scope),
    cost: creditsCost(prices, credits, scope.period),
    models: breakdownOf(credits, scope, modelCredits),
    modelCosts: creditsPartCosts(prices, credits, scope.period, modelCredits),
    tiers: breakdownOf(credits, scope, tierCredits),
    tierCosts: creditsPartCosts(prices, credits, scope.period, tierCredits),
    input: figure((row) => row.input_tokens),
    output: figure((row) => row.output_tokens),
    cacheRead: figure((row) => row.cache_read_tokens),
    cacheWrite: figure((row) => row.cache_write_tokens),
    /** Not a share, because the document does not say whether input includes cache reads; undefined without input. */
    cacheReadsPerInput: knownOf(credits, scope.period, (rows) =>
      ratioOf(
        sumOf(rows, (row) => row.cache_read_tokens),
        sumOf(rows, (row) => row.input_tokens),
      ),
    ),
    /** All credits divided by all daily active people, on days on which both are published; undefined without any. */
    perActivePersonDay: creditsPer(credits, activity, scope, (row) => row.daily_active_users),
    source: sourceOf([credits, activity], scope),
    faults: faultsOf({ credits, activity }),
  };
}

export type CreditsReport = ReturnType<typeof buildCreditsReport>;

/** Divides credits by another measure, over the days on which both are published; undefined if the other is zero. */
export function creditsPer<Row extends DatedRow>(
  credits: Part<CreditsRow>,
  other: Part<Row>,
  { period }: ReportScope,
  measure: (row: Row) => number,
): Measurement<number | undefined> {
  if (credits.kind === 'unreadable' || other.kind === 'unreadable') return { kind: 'unreadable' };
  const amounts = new Map(rowsWithin(other, period).map((row) => [row.date, measure(row)]));
  const both = rowsWithin(credits, period).filter((row) => amounts.has(row.date));
  if (both.length === 0) return { kind: 'unpublished' };
  const used = sumOf(both, (row) => row.billable_tokens);
  const amount = sumOf(both, (row) => amounts.get(row.date) ?? 0);
  return { kind: 'known', value: ratioOf(used, amount) };
}

/** undefined if the whole is zero. @example ratioOf(6, 3) // 2 */
export function ratioOf(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}
