import type { Mark, Outline } from './reports-fold.ts';
import { scoreOfCriteria, shareOf, type Score } from './scores.ts';

/** Two reports are compared only if both are about the same state of the same branch, over the criteria of both. */
export type Comparison =
  | {
      kind: 'compared';
      previous: Outline;
      /** Of the criteria that both reports have. */
      before: Score;
      now: Score;
      /** In the share of passing checks, -1 to 1. */
      change: number;
      shared: number;
      added: number;
      dropped: number;
    }
  | { kind: 'first' }
  | { kind: 'first_of_branch' }
  /** The report shows what only its author has. */
  | { kind: 'marked'; marks: readonly Mark[] }
  | { kind: 'other_criteria' };

/**
 * Compares a report with the previous one of its branch.
 *
 * @param earlier the reports before it, latest first
 */
export function compareReports(newest: Outline, earlier: readonly Outline[]): Comparison {
  if (newest.marks.length > 0) return { kind: 'marked', marks: newest.marks };
  if (earlier.length === 0) return { kind: 'first' };
  const previous = earlier.find((one) => isOfSameBranch(one, newest));
  return previous ? compareTwo(previous, newest) : { kind: 'first_of_branch' };
}

/** The latest report of each branch without marks. @param outlines latest first */
export const lastOfBranches = (outlines: readonly Outline[]): Outline[] =>
  outlines.filter(
    (one, index) => one.marks.length === 0 && !outlines.slice(0, index).some((later) => isOfSameBranch(later, one)),
  );

/** Whether `one` shows the branch of `other`, and nothing that only its author has. */
export const isOfSameBranch = (one: Outline, other: Outline): boolean =>
  one.branch === other.branch && one.marks.length === 0;

function compareTwo(previous: Outline, newest: Outline): Comparison {
  const ids = [...newest.criteria.keys()].filter((id) => previous.criteria.has(id));
  if (ids.length === 0) return { kind: 'other_criteria' };
  const scoreIn = ({ criteria }: Outline) => scoreOfCriteria(ids.flatMap((id) => criteria.get(id) ?? []));
  const [before, now] = [scoreIn(previous), scoreIn(newest)];
  return {
    kind: 'compared',
    previous,
    before,
    now,
    change: shareOf(now) - shareOf(before),
    shared: ids.length,
    added: newest.criteria.size - ids.length,
    dropped: previous.criteria.size - ids.length,
  };
}

export const changeOf = (comparison: Comparison): number | undefined =>
  comparison.kind === 'compared' ? comparison.change : undefined;
