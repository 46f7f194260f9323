import type { ReadinessReport } from '../../../core/platform/endpoints/readiness.ts';
import { readRepository, type Repository, withUniqueLabels } from './repository.ts';
import { byAge, evaluatedCriteria, scoreOf, type Score, type Share } from './scores.ts';

/** The numbers of a report, without rationales and descriptions, to hold thousands in memory. */
export interface Outline {
  reportId: string;
  createdAt: number;
  score: Score;
  /** Without those that were skipped. */
  criteria: ReadonlyMap<string, Share>;
  branch: string | undefined;
  /** What only the computer of its author had; a report without is about the branch. */
  marks: readonly Mark[];
}

/** Changes that only the report’s author has, so the report may differ from the branch. */
export type Mark = 'local changes' | 'unpushed commits';

export const marksOf = ({
  hasLocalChanges,
  hasNonRemoteCommits,
}: Pick<ReadinessReport, 'hasLocalChanges' | 'hasNonRemoteCommits'>): Mark[] => [
  ...(hasLocalChanges ? (['local changes'] as const) : []),
  ...(hasNonRemoteCommits ? (['unpushed commits'] as const) : []),
];

export interface RepositoryReports {
  repository: Repository;
  latest: ReadinessReport;
  /** All reports, latest first. */
  outlines: Outline[];
}

/** Adds reports as they arrive, in any order. */
export interface ReportsFold {
  add(report: ReadinessReport): void;
  repositories(): RepositoryReports[];
}

/** Sorts by time, because the platform’s order of reports is not documented. */
export function createReportsFold(): ReportsFold {
  const byKey = new Map<string, RepositoryReports>();
  return {
    add: (report) => {
      const repository = readRepository(report.repoUrl);
      const existing = byKey.get(repository.key);
      if (!existing) {
        byKey.set(repository.key, { repository, latest: report, outlines: [outlineOf(report)] });
        return;
      }
      if (byAge(report, existing.latest) > 0) {
        existing.latest = report;
        existing.repository = repository;
      }
      existing.outlines.push(outlineOf(report));
    },
    repositories: () => {
      const all = [...byKey.values()];
      const labelled = withUniqueLabels(all.map(({ repository }) => repository));
      return all.map((one, index) => ({
        ...one,
        repository: labelled[index] ?? one.repository,
        outlines: one.outlines.toSorted((a, b) => byAge(b, a)),
      }));
    },
  };
}

function outlineOf(report: ReadinessReport): Outline {
  return {
    reportId: report.reportId,
    createdAt: report.createdAt,
    score: scoreOf(report),
    branch: report.branch || undefined,
    marks: marksOf(report),
    criteria: evaluatedCriteria(report),
  };
}
