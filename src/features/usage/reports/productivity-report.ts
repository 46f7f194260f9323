import type { DailyCreditsRow, OrganizationFacts, Part } from '../../../core/analytics/day-facts.ts';
import type { ProductivityRow } from '../../../core/platform/endpoints/analytics-rows.ts';
import { breakdownOf } from '../../../core/figures/measures/breakdown.ts';
import { creditsPer } from './totals-report.ts';
import { type ReportScope, dayRowsOf, faultsOf, figureOf, sourceOf } from '../../../core/figures/measures/figures.ts';

export function buildProductivityReport(
  facts: Pick<OrganizationFacts, 'productivity'> & { sums: Part<DailyCreditsRow> },
  scope: ReportScope,
) {
  const { productivity, sums: credits } = facts;
  const figure = (measure: (row: ProductivityRow) => number) => figureOf(productivity, scope, measure);
  return {
    scope,
    commits: figure((row) => row.git_commits),
    pullRequests: figure((row) => row.git_prs_created),
    filesCreated: figure((row) => row.files_created),
    filesEdited: figure((row) => row.files_edited),
    languages: breakdownOf(productivity, scope, (row) => row.by_language.map((item) => [item.language, item.count])),
    extensions: breakdownOf(productivity, scope, (row) => row.by_extension.map((item) => [item.extension, item.count])),
    creditsPerCommit: creditsPer(credits, productivity, scope, (row) => row.git_commits),
    creditsPerPullRequest: creditsPer(credits, productivity, scope, (row) => row.git_prs_created),
    days: dayRowsOf(productivity, scope),
    source: sourceOf([productivity, credits], scope),
    faults: faultsOf({ productivity, credits }),
  };
}

export type ProductivityReport = ReturnType<typeof buildProductivityReport>;
