import { nextTurn } from '../../base/time/turns.ts';
import { createCache } from '../../base/cache.ts';
import type { ReadinessDeps } from '../deps.ts';
import { createReportsFold, type RepositoryReports } from './reports-fold.ts';

/** All reports, as they were at one moment. */
export interface Reading {
  repositories: RepositoryReports[];
  reports: number;
  readAt: Date;
}

export interface Readings {
  /**
   * All of them, page by page, since the platform's order is not shown; those who ask within a minute share one reading.
   *
   * @param onProgress told how many have been read so far
   * @throws PlatformError
   */
  all(onProgress?: (reports: number) => void): Promise<Reading>;
  /** Those of one repository by the platform's own id, which reports do not show. */
  byId(repoId: string): Promise<Reading>;
}

const LIFE_MS = 60_000;
/** The upper bound of `limit` is not shown; this much has a small answer. */
const PAGE = 100;
/** So many are folded before others get their turn. */
const REPORTS_A_TURN = 200;

export function createReadings({ platform, clock }: Pick<ReadinessDeps, 'platform' | 'clock'>): Readings {
  const listeners = new Set<(reports: number) => void>();
  const read = async (repoId: string | undefined): Promise<Reading> => {
    const readAt = clock.now();
    const fold = createReportsFold();
    let reports = 0;
    for await (const report of platform.readiness.eachReport({ limit: PAGE, repoId })) {
      fold.add(report);
      reports += 1;
      if (reports % REPORTS_A_TURN > 0) continue;
      for (const listener of listeners) listener(reports);
      await nextTurn();
    }
    return { repositories: fold.repositories(), reports, readAt };
  };
  const everything = createCache(clock, LIFE_MS, (_all: string) => read(undefined));
  return {
    all: async (onProgress) => {
      if (onProgress) listeners.add(onProgress);
      try {
        return await everything.get('all');
      } finally {
        if (onProgress) listeners.delete(onProgress);
      }
    },
    byId: (repoId) => read(repoId),
  };
}
