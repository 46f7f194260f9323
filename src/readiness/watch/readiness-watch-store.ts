import { z } from 'zod';
import type { ChannelSubscription } from '../../watches/channel-subscription-table.ts';
import { listActiveChannelSubscriptions, startChannelSubscription } from '../../watches/channel-subscriptions.ts';
import type { Database, DatabaseTransaction } from '../../store/tables.ts';
import type { RepositoryReports } from '../reports/reports-fold.ts';
import type { Score } from '../reports/scores.ts';
import { jsonColumn } from '../../store/json-column.ts';

/** The `kind` of these channel subscriptions. Their `subject` is a repository’s key, or empty for all repositories. */
export const READINESS_KIND = 'readiness';

/** The latest report of each repository that watches have seen. */
interface ReadinessSeenTable {
  repository: string;
  reportId: string;
  /** JSON of a `Score`. */
  score: string;
  seenAt: string;
}

export type ReadinessTables = {
  readinessSeen: ReadinessSeenTable;
};

const filterColumn = jsonColumn(z.object({ label: z.string() }));
const scoreColumn = jsonColumn(
  z.object({ passed: z.number(), criteria: z.number(), numerator: z.number(), denominator: z.number() }),
);

const tablesIn = (db: Database) => db.withTables<ReadinessTables>();

/** The name of the watched repository, such as `acme/web`. */
export const labelOf = ({ filter }: Pick<ChannelSubscription, 'filter'>): string => filterColumn.read(filter).label;

/** The subjects of watches that cover a repository. */
export const subjectsOf = (repository: string): string[] => [...new Set(['', repository])];

/**
 * Starts or resumes a watch from the current reports, so that no earlier change is posted. If other watches are active,
 * changes that they have not received yet stay pending.
 *
 * @returns `false` if it was already active
 */
export async function startWatch(
  db: Database,
  { channel, repository, label, owner }: { channel: string; repository: string; label: string; owner: string },
  reports: readonly RepositoryReports[],
  now: Date,
): Promise<boolean> {
  const key = { kind: READINESS_KIND, channel, subject: repository };
  const watch = { ...key, filter: { label }, owner, since: null, detail: repository || null };
  return db.transaction().execute(async (trx) => {
    const others = await listActiveChannelSubscriptions(trx, READINESS_KIND);
    if (!(await startChannelSubscription(trx, watch, now))) return false;
    if (others.length === 0) await tablesIn(trx).deleteFrom('readinessSeen').execute();
    for (const one of reports) await recordFirst(trx, one, now.toISOString());
    return true;
  });
}

export async function readSeen(db: Database): Promise<Map<string, { reportId: string; score: Score }>> {
  const rows = await tablesIn(db).selectFrom('readinessSeen').selectAll().execute();
  return new Map(rows.map((row) => [row.repository, { ...row, score: scoreColumn.read(row.score) }]));
}

/** Stores the first report of a watched repository. */
export async function recordFirst(
  trx: DatabaseTransaction,
  { repository, outlines: [latest] }: RepositoryReports,
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
  { repository, outlines: [latest] }: RepositoryReports,
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
