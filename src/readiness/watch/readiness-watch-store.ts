import { z } from 'zod';
import { declareWatches } from '../../watches/watch-kind.ts';
import type { PoliciesOf } from '../../store/table-policy.ts';
import type { Database, DatabaseTransaction } from '../../store/tables.ts';
import type { RepositoryReports } from '../reports/reports-fold.ts';
import type { Score } from '../reports/scores.ts';

/** Their `subject` is a repository’s key, or empty for all repositories; `label` is its name, such as `acme/web`. */
export const readinessWatches = declareWatches({
  kind: 'readiness',
  options: z.object({ label: z.string() }),
  recent: z.never(),
});

/** The latest report of each repository that watches have seen. */
interface ReadinessSeenTable {
  repository: string;
  report_id: string;
  /** JSON of a `Score`. */
  score: string;
  seen_at: string;
}

export type ReadinessTables = {
  readiness_seen: ReadinessSeenTable;
};

export const readinessPolicies: PoliciesOf<ReadinessTables> = { readiness_seen: { what: 'readiness reports' } };

const scoreSchema = z.object({
  passed: z.number(),
  criteria: z.number(),
  numerator: z.number(),
  denominator: z.number(),
});

const tablesIn = (db: Database) => db.withTables<ReadinessTables>();

/** The subjects of watches that cover a repository. */
export const subjectsOf = (repository: string): string[] => [...new Set(['', repository])];

/**
 * Records the current reports at the start of a watch, so that no earlier change is posted. If other watches are active,
 * changes that they have not received yet stay pending.
 */
export const recordStart =
  (reports: readonly RepositoryReports[], now: Date) =>
  async (trx: DatabaseTransaction): Promise<void> => {
    const isOnlyOne = (await readinessWatches.listActive(trx)).length === 1;
    if (isOnlyOne) await tablesIn(trx).deleteFrom('readiness_seen').execute();
    for (const one of reports) await recordFirst(trx, one, now.toISOString());
  };

export async function readSeen(db: Database): Promise<Map<string, { reportId: string; score: Score }>> {
  const rows = await tablesIn(db).selectFrom('readiness_seen').selectAll().execute();
  return new Map(
    rows.map((row) => [row.repository, { reportId: row.report_id, score: scoreSchema.parse(JSON.parse(row.score)) }]),
  );
}

/** Stores the first report of a watched repository. */
export async function recordFirst(
  trx: DatabaseTransaction,
  { repository, outlines: [latest] }: RepositoryReports,
  at: string,
): Promise<void> {
  if (!latest) return;
  await tablesIn(trx)
    .insertInto('readiness_seen')
    .values({
      repository: repository.key,
      report_id: latest.reportId,
      score: JSON.stringify(latest.score),
      seen_at: at,
    })
    .onConflict((conflict) => conflict.column('repository').doNothing())
    .execute();
}

/** @returns `false` if another process was faster and posts the notice */
export async function recordLatest(
  trx: DatabaseTransaction,
  { repository, outlines: [latest] }: RepositoryReports,
  from: { reportId: string; score: Score },
  at: string,
): Promise<boolean> {
  if (!latest) return false;
  const updated = await tablesIn(trx)
    .updateTable('readiness_seen')
    .set({ report_id: latest.reportId, score: JSON.stringify(latest.score), seen_at: at })
    .where('repository', '=', repository.key)
    .where('report_id', '=', from.reportId)
    .where('score', '=', JSON.stringify(from.score))
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}
