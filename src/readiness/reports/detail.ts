import type { ReadinessReport } from '../../platform/endpoints/readiness.ts';
import type { Outline, RepositoryReports } from './reports-fold.ts';

export interface Criterion {
  id: string;
  numerator: number;
  denominator: number;
  rationale: string;
  isPassed: boolean;
  /** The first of the reports, up to the latest, that say the same; nothing where none says otherwise. */
  since: number | undefined;
}

/** A criterion that fails and would cost little. */
export interface Win {
  criterion: Criterion;
  /** Sub-applications that are missing. */
  missing: number;
  /** How many of the others whose latest report has this criterion pass it. */
  passedElsewhere: number;
  askedElsewhere: number;
}

export type Detail = ReturnType<typeof buildDetail>;

const MAX_WINS = 3;

/**
 * What the reports of one repository say. Pure.
 *
 * @param all the reports of all repositories, to see what others pass
 */
export function buildDetail(one: RepositoryReports, all: readonly RepositoryReports[]) {
  const { repository, latest, outlines } = one;
  const [newest, previous] = outlines;
  if (!newest) throw new RangeError('A repository has at least one report');
  const criteria = [...newest.criteria.keys()].map((id) => criterionOf(id, outlines, latest)).toSorted(failingFirst);
  const others = all.filter((other) => other.repository.key !== repository.key);
  return {
    repository,
    latest,
    score: newest.score,
    previous: previous && { score: previous.score, createdAt: previous.createdAt },
    /** Failing first, those with most missing on top. */
    criteria,
    better: criteria.filter(({ id }) => gainOf(id, previous, newest) > 0).map(({ id }) => id),
    worse: criteria.filter(({ id }) => gainOf(id, previous, newest) < 0).map(({ id }) => id),
    wins: cheapestWins(criteria, others),
    /** Oldest first. */
    history: outlines.map(({ createdAt, score }) => ({ createdAt, score })).toReversed(),
  };
}

/** Nothing where a report does not have the criterion. */
function isPassed({ criteria }: Outline, id: string): boolean | undefined {
  const criterion = criteria.get(id);
  return criterion && criterion.numerator >= criterion.denominator;
}

function criterionOf(id: string, latestFirst: readonly Outline[], latest: ReadinessReport): Criterion {
  const { numerator = 0, denominator = 1, rationale = '' } = latest.report[id] ?? {};
  const now = numerator >= denominator;
  const other = latestFirst.findIndex((outline) => isPassed(outline, id) !== now);
  return { id, numerator, denominator, rationale, isPassed: now, since: latestFirst[other - 1]?.createdAt };
}

function failingFirst(a: Criterion, b: Criterion): number {
  const missing = (one: Criterion) => Math.max(0, one.denominator - one.numerator) / one.denominator;
  return missing(b) - missing(a) || (a.id < b.id ? -1 : 1);
}

/** The part of its checks that a criterion gained since the report before; 0 where that did not have it. */
function gainOf(id: string, previous: Outline | undefined, newest: Outline): number {
  const [before, now] = [previous?.criteria.get(id), newest.criteria.get(id)];
  if (!before || !now) return 0;
  return now.numerator / now.denominator - before.numerator / before.denominator;
}

/** Fewest sub-applications missing first; of those, what most of the others pass. */
function cheapestWins(criteria: readonly Criterion[], others: readonly RepositoryReports[]): Win[] {
  return criteria
    .filter((criterion) => !criterion.isPassed)
    .map((criterion): Win => {
      const answers = others.flatMap(({ outlines: [newest] }) =>
        newest ? (isPassed(newest, criterion.id) ?? []) : [],
      );
      return {
        criterion,
        missing: criterion.denominator - criterion.numerator,
        passedElsewhere: answers.filter(Boolean).length,
        askedElsewhere: answers.length,
      };
    })
    .toSorted((a, b) => a.missing - b.missing || partPassing(b) - partPassing(a))
    .slice(0, MAX_WINS);
}

function partPassing({ passedElsewhere, askedElsewhere }: Win): number {
  return askedElsewhere === 0 ? 0 : passedElsewhere / askedElsewhere;
}
