import type { OrganizationFacts } from '../../analytics/facts.ts';
import type { ProductivityRow } from '../../platform/endpoints/analytics-rows.ts';
import { breakdownOf, type NamedFigure } from '../measures/breakdown.ts';
import { ratioOf } from './credits-report.ts';
import { dayRowsOf, type DayRow } from './day-table.ts';
import {
  faultsOf,
  figureOf,
  rowsWithin,
  sumOf,
  type FaultyPart,
  type Figure,
  type Known,
  type ReportScope,
} from '../measures/figures.ts';
import { sourceOf, type Source } from '../measures/source.ts';

/** What came out of the work. */
export interface ProductivityReport {
  scope: ReportScope;
  commits: Known<Figure>;
  pullRequests: Known<Figure>;
  filesCreated: Known<Figure>;
  filesEdited: Known<Figure>;
  /** File operations. */
  languages: NamedFigure[];
  extensions: NamedFigure[];
  /** All credits by all of them, of days on which both are published; nothing when there were none. */
  creditsPerCommit: Known<number | undefined>;
  creditsPerPullRequest: Known<number | undefined>;
  days: DayRow<ProductivityRow>[];
  source: Source;
  faults: FaultyPart[];
}

/** Pure. */
export function buildProductivityReport(
  facts: Pick<OrganizationFacts, 'productivity' | 'credits'>,
  scope: ReportScope,
): ProductivityReport {
  const { productivity, credits } = facts;
  const figure = (measure: (row: ProductivityRow) => number) => figureOf(productivity, scope, measure);
  return {
    scope,
    commits: figure((row) => row.git_commits),
    pullRequests: figure((row) => row.git_prs_created),
    filesCreated: figure((row) => row.files_created),
    filesEdited: figure((row) => row.files_edited),
    languages: breakdownOf(productivity, scope, (row) => row.by_language.map((item) => [item.language, item.count])),
    extensions: breakdownOf(productivity, scope, (row) => row.by_extension.map((item) => [item.extension, item.count])),
    creditsPerCommit: creditsPer(facts, scope, (row) => row.git_commits),
    creditsPerPullRequest: creditsPer(facts, scope, (row) => row.git_prs_created),
    days: dayRowsOf(productivity, scope),
    source: sourceOf([productivity, credits], scope),
    faults: faultsOf({ productivity, credits }),
  };
}

function creditsPer(
  { productivity, credits }: Pick<OrganizationFacts, 'productivity' | 'credits'>,
  { period }: ReportScope,
  measure: (row: ProductivityRow) => number,
): Known<number | undefined> {
  if (productivity.kind === 'unreadable' || credits.kind === 'unreadable') return { kind: 'unreadable' };
  const made = new Map(rowsWithin(productivity, period).map((row) => [row.date, measure(row)]));
  const both = rowsWithin(credits, period).filter((row) => made.has(row.date));
  if (both.length === 0) return { kind: 'unpublished' };
  const used = sumOf(both, (row) => row.billable_tokens);
  return {
    kind: 'known',
    value: ratioOf(
      used,
      sumOf(both, (row) => made.get(row.date) ?? 0),
    ),
  };
}
