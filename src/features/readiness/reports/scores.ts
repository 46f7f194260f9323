import { z } from 'zod';
import type { ReadinessReport } from '../../../core/platform/endpoints/readiness.ts';

export const scoreSchema = z.object({
  /** Criteria that every sub-application passes. */
  passed: z.number(),
  criteria: z.number(),
  /** Passing sub-applications, summed over the criteria. */
  numerator: z.number(),
  denominator: z.number(),
});
export type Score = z.infer<typeof scoreSchema>;

/** Sub-applications of a criterion. */
export interface Share {
  numerator: number;
  denominator: number;
}

/** The criteria of a report by id, without those that were skipped: they count in no share. */
export const evaluatedCriteria = ({ report }: Pick<ReadinessReport, 'report'>): Map<string, Share> =>
  new Map(
    Object.entries(report).flatMap(([id, { numerator, denominator }]) =>
      numerator === null ? [] : [[id, { numerator, denominator }] as const],
    ),
  );

export const scoreOf = (report: Pick<ReadinessReport, 'report'>): Score =>
  scoreOfCriteria([...evaluatedCriteria(report).values()]);

export function scoreOfCriteria(criteria: readonly Share[]): Score {
  const score: Score = { passed: 0, criteria: 0, numerator: 0, denominator: 0 };
  for (const { numerator, denominator } of criteria) {
    score.criteria += 1;
    if (numerator >= denominator) score.passed += 1;
    score.numerator += numerator;
    score.denominator += denominator;
  }
  return score;
}

/** Returns the share of passing checks, 0 to 1. A report without criteria counts as 0. */
export const shareOf = ({ numerator, denominator }: Score): number => (denominator === 0 ? 0 : numerator / denominator);

export const passesEverything = ({ passed, criteria }: Score): boolean => criteria > 0 && passed === criteria;

/** Falls back to the id, so that the order is always the same. Returns below zero if `a` is earlier. */
export function byAge(a: Pick<ReadinessReport, 'createdAt' | 'reportId'>, b: typeof a): number {
  return a.createdAt - b.createdAt || (a.reportId < b.reportId ? -1 : a.reportId > b.reportId ? 1 : 0);
}
