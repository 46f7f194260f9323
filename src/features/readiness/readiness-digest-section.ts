import type { DigestSection } from '../../core/feature.ts';
import { isPlatformError } from '../../core/platform/errors.ts';
import { reportError } from '../../core/slack/blocks/faults.ts';
import { list, note, contentsOf } from '../../core/slack/blocks/paragraphs.ts';
import { dayOf, type Period } from '../../core/base/time/calendar.ts';
import type { Readings } from './reports/reading.ts';
import { changeOf, compareReports, lastOfBranches } from './reports/comparison.ts';
import type { RepositoryReports } from './reports/reports-fold.ts';
import { branchClause, changeWords, checksWords, criteriaChange } from './views/sentences.ts';

const MAX_NAMED = 10;

export function readinessSection(readings: Readings): DigestSection {
  return {
    id: 'readiness',
    title: 'Readiness changes',
    description: 'Repositories whose readiness changed',
    namesPeople: false,
    isDefault: false,
    coversAudienceOnly: false,
    read: async ({ period, log }) => {
      try {
        const { repositories } = await readings.all();
        const lines = changesIn(repositories, period);
        const named = lines.slice(0, MAX_NAMED);
        const paragraphs = [
          list('Readiness', named),
          note(lines.length > named.length ? `And ${lines.length - named.length} more.` : ''),
          note(lines.length === 0 ? 'No changes in readiness.' : ''),
        ];
        return {
          kind: 'ready',
          ...contentsOf(paragraphs),
          figures: {},
          isQuiet: lines.length === 0,
          ...(lines.length === 0 ? { unchanged: 'readiness' } : {}),
        };
      } catch (error) {
        if (!isPlatformError(error)) throw error;
        return { kind: 'unreadable', ...reportError(error, log, { section: 'readiness' }) };
      }
    },
  };
}

/** Returns the branches whose last report in the period differs from the last one before, worst first. Pure. */
export function changesIn(repositories: readonly RepositoryReports[], { first, last }: Period): string[] {
  return repositories
    .flatMap(({ repository, outlines }) => {
      const within = outlines.filter(({ createdAt }) => isWithin(createdAt, first, last));
      const earlier = outlines.filter(({ createdAt }) => dayAt(createdAt) < first);
      return lastOfBranches(within).flatMap((now) => {
        const comparison = compareReports(now, earlier);
        const change = changeOf(comparison) ?? 0;
        return change === 0 || comparison.kind !== 'compared' ? [] : [{ repository, now, change, comparison }];
      });
    })
    .toSorted((a, b) => a.change - b.change)
    .map(
      ({ repository, now, change, comparison }) =>
        `${repository.label}${branchClause(now)}: ${changeWords(change)} to ${checksWords(now.score)} ready${criteriaChange(comparison)}`,
    );
}

/** A time that is no date is after every day. */
function dayAt(createdAt: number): string {
  const date = new Date(createdAt);
  return Number.isNaN(date.getTime()) ? '9999' : dayOf(date);
}

const isWithin = (createdAt: number, first: string, last: string): boolean =>
  dayAt(createdAt) >= first && dayAt(createdAt) <= last;
