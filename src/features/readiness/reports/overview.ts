import { changeOf, compareReports, type Comparison } from './comparison.ts';
import type { Reading } from './reading.ts';
import type { RepositoryReports } from './reports-fold.ts';
import type { Repository } from './repository.ts';
import { shareOf, passesEverything, type Score } from './scores.ts';

export interface OverviewRow {
  reports: RepositoryReports;
  score: Score;
  comparison: Comparison;
}

export type Overview = ReturnType<typeof buildOverview>;

/** Returns the repositories whose name contains a text, worst first. Pure. */
export function buildOverview(
  { repositories: all, unreadable, readAt }: Pick<Reading, 'repositories' | 'unreadable' | 'readAt'>,
  filter: string,
) {
  const lowerFilter = filter.trim().toLowerCase();
  const byLabel = all.filter((one) => label(one).includes(lowerFilter));
  // Every address contains a host name, so addresses count only if no label matches.
  const matches = byLabel.length > 0 ? byLabel : all.filter(({ repository }) => repository.key.includes(lowerFilter));
  const rows = matches.map(rowOf).toSorted(worstFirst);
  return {
    rows,
    /** The number of repositories without the filter. */
    all: all.length,
    /** The number of filtered repositories that pass everything. */
    ready: rows.filter(({ score }) => passesEverything(score)).length,
    worse: rows.filter(({ comparison }) => (changeOf(comparison) ?? 0) < 0).length,
    better: rows.filter(({ comparison }) => (changeOf(comparison) ?? 0) > 0).length,
    filter: filter.trim(),
    unreadable,
    readAt,
  };
}

function rowOf(reports: RepositoryReports): OverviewRow {
  const [latest, ...earlier] = reports.outlines;
  if (!latest) throw new RangeError('A repository has at least one report');
  return { reports, score: latest.score, comparison: compareReports(latest, earlier) };
}

function worstFirst(a: OverviewRow, b: OverviewRow): number {
  const [first, second] = [a.reports.repository.label, b.reports.repository.label];
  return shareOf(a.score) - shareOf(b.score) || (first < second ? -1 : first > second ? 1 : 0);
}

const byLabel = (a: Repository, b: Repository) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0);
const label = ({ repository }: RepositoryReports) => repository.label.toLowerCase();

export type Match =
  | { kind: 'one'; reports: RepositoryReports }
  | { kind: 'several'; repositories: Repository[] }
  | { kind: 'none' };

/** Tries the address (`key`), then `owner/name`, the name, part of `owner/name` and part of the address. */
export function matchRepository(all: readonly RepositoryReports[], word: string, key: string): Match {
  const lower = word.trim().toLowerCase();
  const tries: ((one: RepositoryReports) => boolean)[] = [
    (one) => one.repository.key === key,
    (one) => label(one) === lower,
    (one) => label(one).split('/').at(-1) === lower,
    (one) => label(one).includes(lower),
    (one) => one.repository.key.includes(lower),
  ];
  const matches = tries.map((isMeant) => all.filter(isMeant)).find(({ length }) => length > 0) ?? [];
  const [first] = matches;
  if (!first) return { kind: 'none' };
  if (matches.length === 1) return { kind: 'one', reports: first };
  return { kind: 'several', repositories: matches.map(({ repository }) => repository).toSorted(byLabel) };
}
