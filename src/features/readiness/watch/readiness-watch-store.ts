import { z } from 'zod';
import { declareWatches } from '../../../core/watches/watch-kind.ts';
import type { PoliciesOf } from '../../../core/store/table-policy.ts';
import type { Database, DatabaseTransaction } from '../../../core/store/tables.ts';
import type { RepositoryReports } from '../reports/reports-fold.ts';
import { scoreSchema, type Score } from '../reports/scores.ts';
import { jsonColumn } from '../../../core/store/json-column.ts';

/** Their `subject` is a repository’s key, or empty for all repositories; `label` is its name, such as `acme/web`. */
export const readinessWatches = declareWatches({
  kind: 'readiness',
  options: z.object({ label: z.string() }),
  recent: z.never(),
});

interface ReadinessSeenTable {
  repository: string;
  reportId: string;
  score: string;
  seenAt: string;
}

export type ReadinessTables = {
  readinessSeen: ReadinessSeenTable;
};

export const readinessPolicies: PoliciesOf<ReadinessTables> = { readinessSeen: { what: 'readiness reports' } };

const scoreColumn = jsonColumn(scoreSchema);

const tablesIn = (db: Database) => db.withTables<ReadinessTables>();

export const subjectsOf = (repository: string): string[] => [...new Set(['', repository])];

/**
 * Records the current reports at the start of a watch, so that no earlier change is posted. If other watches are active,
 * changes that they have not received yet stay pending.
 */
export const recordStart =
  (reports: readonly RepositoryReports[], now: Date) =>
  async (trx: DatabaseTransaction): Promise<void> => {
    const isOnlyOne = (await readinessWatches.listActive(trx)).length === 1;
    if (isOnlyOne) await tablesIn(trx).deleteFrom('readinessSeen').execute();
    for (const one of reports) await recordFirst(trx, one, now.toISOString());
  };

export async function readSeen(db: Database): Promise<Map<string, { reportId: string; score: Score }>> {
  const rows = await tablesIn(db).selectFrom('readinessSeen').selectAll().execute();
  return new Map(rows.map((row) => [row.repository, { ...row, score: scoreColumn.read(row.score) }]));
}

export async function recordFirst(
  trx: DatabaseTransaction,
  { repository, outlines: [latest] }: Pick<RepositoryReports, 'repository' | 'outlines'>,
  at: string,
): Promise<void> {
  if (!latest) return;
  await tablesIn(trx)
    .insertInto('readinessSeen')
    .values({
      repository: repository.key,
      reportId: latest.reportId,
      score: scoreColumn.write(latest.score),
      seenAt: at,
    })
    .onConflict((conflict) => conflict.column('repository').doNothing())
    .execute();
}

/** @returns `false` if another process was faster and posts the notice */
export async function recordLatest(
  trx: DatabaseTransaction,
  { repository, outlines: [latest] }: Pick<RepositoryReports, 'repository' | 'outlines'>,
  from: { reportId: string; score: Score },
  at: string,
): Promise<boolean> {
  if (!latest) return false;
  const updated = await tablesIn(trx)
    .updateTable('readinessSeen')
    .set({ reportId: latest.reportId, score: scoreColumn.write(latest.score), seenAt: at })
    .where((where) =>
      where.and({ repository: repository.key, reportId: from.reportId, score: scoreColumn.write(from.score) }),
    )
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}
