import type { ReadinessReport } from '../../platform/endpoints/readiness.ts';

/** How ready a repository is by one report. */
export interface Score {
  /** Criteria that every sub-application passes. */
  passed: number;
  criteria: number;
  /** Sub-applications that pass, added up over the criteria. */
  numerator: number;
  denominator: number;
}

/** @example scoreOf(report) // { passed: 7, criteria: 10, numerator: 15, denominator: 20 } */
export function scoreOf({ report }: Pick<ReadinessReport, 'report'>): Score {
  const score: Score = { passed: 0, criteria: 0, numerator: 0, denominator: 0 };
  for (const { numerator, denominator } of Object.values(report)) {
    score.criteria += 1;
    if (numerator >= denominator) score.passed += 1;
    score.numerator += numerator;
    score.denominator += denominator;
  }
  return score;
}

/** The part of the checks that pass, 0 to 1. A report without criteria says nothing, and counts as 0. */
export function partOf({ numerator, denominator }: Score): number {
  return denominator === 0 ? 0 : numerator / denominator;
}

/** A report without criteria passes nothing. */
export function passesEverything({ passed, criteria }: Score): boolean {
  return criteria > 0 && passed === criteria;
}

/**
 * Of two reports of a repository, which came later? By time; at the same time by id, so that everybody says the same.
 *
 * @returns below zero when `a` is the earlier one
 */
export function byAge(a: Pick<ReadinessReport, 'createdAt' | 'reportId'>, b: typeof a): number {
  return a.createdAt - b.createdAt || (a.reportId < b.reportId ? -1 : a.reportId > b.reportId ? 1 : 0);
}
