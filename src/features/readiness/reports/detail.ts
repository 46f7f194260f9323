import type { ReadinessReport } from '../../../core/platform/endpoints/readiness.ts';
import { compareReports, isOfSameBranch } from './comparison.ts';
import type { Outline, RepositoryReports } from './reports-fold.ts';

export interface Criterion {
  id: string;
  numerator: number;
  denominator: number;
  rationale: string;
  isPassed: boolean;
  /** The time of the first report with this result, without another result since; undefined if all reports agree. */
  since: number | undefined;
}

export interface EasyFix {
  criterion: Criterion;
  missing: number;
  /** The number of other repositories whose latest report passes this criterion. */
  passedElsewhere: number;
  reportedElsewhere: number;
}

export type Detail = ReturnType<typeof buildDetail>;

const MAX_EASY_FIXES = 3;

export function buildDetail(one: RepositoryReports, all: readonly RepositoryReports[]) {
  const { repository, latest, outlines } = one;
  const [newest, ...earlier] = outlines;
  if (!newest) throw new RangeError('A repository has at least one report');
  const comparison = compareReports(newest, earlier);
  const previous = comparison.kind === 'compared' ? comparison.previous : undefined;
  const ofBranch = [newest, ...earlier.filter((one) => isOfSameBranch(one, newest))];
  const criteria = [...newest.criteria.keys()].map((id) => criterionOf(id, ofBranch, latest)).toSorted(failingFirst);
  const others = all.filter((other) => other.repository.key !== repository.key);
  return {
    repository,
    latest,
    score: newest.score,
    comparison,
    /** Most missing first. */
    criteria,
    /** Ids of criteria that were not evaluated, because they do not apply. */
    skipped: Object.keys(latest.report).filter((id) => !newest.criteria.has(id)),
    ...movedCriteria(previous, newest),
    easiestFixes: findEasiestFixes(criteria, others),
    /** Of this branch, oldest first. */
    history: ofBranch.map(({ createdAt, score }) => ({ createdAt, score })).toReversed(),
  };
}

function isPassed({ criteria }: Outline, id: string): boolean | undefined {
  const criterion = criteria.get(id);
  return criterion && criterion.numerator >= criterion.denominator;
}

function criterionOf(id: string, latestFirst: readonly Outline[], latest: ReadinessReport): Criterion {
  const { denominator = 1, rationale = '' } = latest.report[id] ?? {};
  const numerator = latest.report[id]?.numerator ?? 0;
  const now = numerator >= denominator;
  const other = latestFirst.findIndex((outline) => isPassed(outline, id) !== now);
  return { id, numerator, denominator, rationale, isPassed: now, since: latestFirst[other - 1]?.createdAt };
}

function failingFirst(a: Criterion, b: Criterion): number {
  const missing = (one: Criterion) => Math.max(0, one.denominator - one.numerator) / one.denominator;
  return missing(b) - missing(a) || (a.id < b.id ? -1 : 1);
}

/** Returns the criteria of both reports whose share of passing checks changed. */
export function movedCriteria(previous: Outline | undefined, newest: Outline): { better: string[]; worse: string[] } {
  const gains = [...newest.criteria.keys()].map((id) => ({ id, gain: gainOf(id, previous, newest) }));
  return {
    better: gains.filter(({ gain }) => gain > 0).map(({ id }) => id),
    worse: gains.filter(({ gain }) => gain < 0).map(({ id }) => id),
  };
}

/** The change in a criterion’s share of passing checks since the report before; 0 if that did not have it. */
function gainOf(id: string, previous: Outline | undefined, newest: Outline): number {
  const [before, now] = [previous?.criteria.get(id), newest.criteria.get(id)];
  if (!before || !now) return 0;
  return now.numerator / now.denominator - before.numerator / before.denominator;
}

/** Fewest missing sub-applications first; then those that most others pass. */
function findEasiestFixes(criteria: readonly Criterion[], others: readonly RepositoryReports[]): EasyFix[] {
  return criteria
    .filter((criterion) => !criterion.isPassed)
    .map((criterion): EasyFix => {
      const answers = others.flatMap(({ outlines: [newest] }) =>
        newest ? (isPassed(newest, criterion.id) ?? []) : [],
      );
      return {
        criterion,
        missing: criterion.denominator - criterion.numerator,
        passedElsewhere: answers.filter(Boolean).length,
        reportedElsewhere: answers.length,
      };
    })
    .toSorted((a, b) => a.missing - b.missing || shareElsewhere(b) - shareElsewhere(a))
    .slice(0, MAX_EASY_FIXES);
}

function shareElsewhere({ passedElsewhere, reportedElsewhere }: EasyFix): number {
  return reportedElsewhere === 0 ? 0 : passedElsewhere / reportedElsewhere;
}
