import type { DigestSection } from '../../core/feature.ts';
import { isPlatformError } from '../../core/platform/errors.ts';
import { reportError } from '../../core/slack/blocks/faults.ts';
import { list, note, contentsOf } from '../../core/slack/blocks/paragraphs.ts';
import { dayOf, type Period } from '../../core/base/time/calendar.ts';
import type { Readings } from './reports/reading.ts';
import type { RepositoryReports } from './reports/reports-fold.ts';
import { shareOf } from './reports/scores.ts';
import { changeWords, checksWords } from './views/sentences.ts';

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

/** Returns the repositories whose last report in the period differs from the one before, worst first. Pure. */
function changesIn(repositories: readonly RepositoryReports[], { first, last }: Period): string[] {
  return repositories
    .flatMap(({ repository, outlines }) => {
      const at = outlines.findIndex(({ createdAt }) => isWithin(createdAt, first, last));
      const [now, before] = [outlines[at], outlines[at + 1]];
      if (at < 0 || !now || !before) return [];
      const change = shareOf(now.score) - shareOf(before.score);
      return change === 0 ? [] : [{ repository, now, change }];
    })
    .toSorted((a, b) => a.change - b.change)
    .map(
      ({ repository, now, change }) => `${repository.label}: ${changeWords(change)} to ${checksWords(now.score)} ready`,
    );
}

function isWithin(createdAt: number, first: string, last: string): boolean {
  const date = new Date(createdAt);
  if (Number.isNaN(date.getTime())) return false;
  const day = dayOf(date);
  return day >= first && day <= last;
}
