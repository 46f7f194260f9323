import { eachInTurns } from '../../../core/base/time/turns.ts';
import { createCache } from '../../../core/base/cache.ts';
import type { UnreadableReport } from '../../../core/platform/endpoints/readiness.ts';
import type { ReadinessDeps } from '../readiness-deps.ts';
import { createReportsFold, type RepositoryReports } from './reports-fold.ts';

export interface Reading {
  repositories: RepositoryReports[];
  reports: number;
  /** Reports that could not be read. */
  unreadable: number;
  readAt: Date;
}

export interface Readings {
  /**
   * Reads every page, because the platform’s order is not documented; callers within a minute share one reading.
   * @param onProgress called with the number of reports already read
   * @throws PlatformError
   */
  all(onProgress?: (reports: number) => void): Promise<Reading>;
  /** Reads the reports of one repository by the platform’s id, which reports do not contain. */
  byId(repoId: string): Promise<Reading>;
}

const LIFE_MS = 60_000;
/** The maximum of `limit` is not documented; this value keeps answers small. */
const PAGE = 100;
/** Reports processed before yielding to the event loop. */
const REPORTS_A_TURN = 200;

export function createReadings({ platform, clock, log }: Pick<ReadinessDeps, 'platform' | 'clock' | 'log'>): Readings {
  const listeners = new Set<(reports: number) => void>();
  const read = async (repoId: string | undefined): Promise<Reading> => {
    const readAt = clock.now();
    const fold = createReportsFold();
    let reports = 0;
    const unreadable: UnreadableReport[] = [];
    const listing = platform.readiness.eachReport(
      { limit: PAGE, repoId },
      { onUnreadable: (report) => void unreadable.push(report) },
    );
    for await (const report of eachInTurns(listing, REPORTS_A_TURN)) {
      fold.add(report);
      reports += 1;
      if (reports % REPORTS_A_TURN === 0) for (const listener of listeners) listener(reports);
    }
    if (unreadable.length > 0)
      log.warn({ count: unreadable.length, first: unreadable[0] }, 'Some readiness reports can’t be read');
    return { repositories: fold.repositories(), reports, unreadable: unreadable.length, readAt };
  };
  const everything = createCache(clock, LIFE_MS, () => read(undefined));
  return {
    all: async (onProgress) => {
      if (onProgress) listeners.add(onProgress);
      try {
        return await everything.get(undefined);
      } finally {
        if (onProgress) listeners.delete(onProgress);
      }
    },
    byId: (repoId) => read(repoId),
  };
}
