import type { OrganizationFacts } from '../../analytics/facts.ts';
import type { CreditsRow } from '../../platform/endpoints/analytics-rows.ts';
import { modelCredits, tierCredits } from '../measures/amounts.ts';
import { breakdownOf, type NamedFigure } from '../measures/breakdown.ts';
import { dayRowsOf, type DayRow } from './day-table.ts';
import {
  faultsOf,
  figureOf,
  knownOf,
  rowsWithin,
  sumOf,
  type FaultyPart,
  type Figure,
  type Known,
  type ReportScope,
} from '../measures/figures.ts';
import { sourceOf, type Source } from '../measures/source.ts';

/** Where Standard Credits went, and the tokens behind them. */
export interface CreditsReport {
  scope: ReportScope;
  credits: Known<Figure>;
  days: DayRow<CreditsRow>[];
  models: NamedFigure[];
  tiers: NamedFigure[];
  input: Known<Figure>;
  output: Known<Figure>;
  cacheRead: Known<Figure>;
  cacheWrite: Known<Figure>;
  /**
   * Cache reads for each raw input token. Whether input counts cache reads too is not documented, so it is no share of
   * anything; nothing when there was no input.
   */
  cacheReadsPerInput: Known<number | undefined>;
  /** All credits by all daily active people, of days on which both are published; nothing when nobody was active. */
  perActivePersonDay: Known<number | undefined>;
  source: Source;
  faults: FaultyPart[];
}

/** Pure. */
export function buildCreditsReport(
  facts: Pick<OrganizationFacts, 'credits' | 'activity'>,
  scope: ReportScope,
): CreditsReport {
  const { credits, activity } = facts;
  const figure = (measure: (row: CreditsRow) => number) => figureOf(credits, scope, measure);
  return {
    scope,
    credits: figure((row) => row.billable_tokens),
    days: dayRowsOf(credits, scope),
    models: breakdownOf(credits, scope, modelCredits),
    tiers: breakdownOf(credits, scope, tierCredits),
    input: figure((row) => row.input_tokens),
    output: figure((row) => row.output_tokens),
    cacheRead: figure((row) => row.cache_read_tokens),
    cacheWrite: figure((row) => row.cache_write_tokens),
    cacheReadsPerInput: knownOf(credits, scope.period, (rows) =>
      ratioOf(
        sumOf(rows, (row) => row.cache_read_tokens),
        sumOf(rows, (row) => row.input_tokens),
      ),
    ),
    perActivePersonDay: perActivePersonDay({ credits, activity }, scope),
    source: sourceOf([credits, activity], scope),
    faults: faultsOf({ credits, activity }),
  };
}

function perActivePersonDay(
  { credits, activity }: Pick<OrganizationFacts, 'credits' | 'activity'>,
  { period }: ReportScope,
): Known<number | undefined> {
  if (credits.kind === 'unreadable' || activity.kind === 'unreadable') return { kind: 'unreadable' };
  const active = new Map(rowsWithin(activity, period).map((row) => [row.date, row.daily_active_users]));
  const both = rowsWithin(credits, period).filter((row) => active.has(row.date));
  if (both.length === 0) return { kind: 'unpublished' };
  const used = sumOf(both, (row) => row.billable_tokens);
  return {
    kind: 'known',
    value: ratioOf(
      used,
      sumOf(both, (row) => active.get(row.date) ?? 0),
    ),
  };
}

/** @example ratioOf(6, 3) // 2; of nothing: undefined */
export function ratioOf(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}
