import { z } from 'zod';
import type { ChannelSubscription } from '../../watches/channel-subscription-table.ts';
import { listActiveChannelSubscriptions, startChannelSubscription } from '../../watches/channel-subscriptions.ts';
import type { PoliciesOf } from '../../store/table-policy.ts';
import type { Database, DatabaseTransaction } from '../../store/tables.ts';
import type { RepositoryReports } from '../reports/reports-fold.ts';
import type { Score } from '../reports/scores.ts';

/** The `kind` of these channel subscriptions. Their `subject` is a repository’s key, or empty for all repositories. */
export const READINESS_KIND = 'readiness';

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

const filterSchema = z.object({ label: z.string() });
const scoreSchema = z.object({
  passed: z.number(),
  criteria: z.number(),
  numerator: z.number(),
  denominator: z.number(),
});

const tablesIn = (db: Database) => db.withTables<ReadinessTables>();

/** The name of the watched repository, such as `acme/web`. */
export function labelOf({ filter }: Pick<ChannelSubscription, 'filter'>): string {
  return filterSchema.parse(JSON.parse(filter)).label;
}

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
    if (others.length === 0) await tablesIn(trx).deleteFrom('readiness_seen').execute();
    for (const one of reports) await recordFirst(trx, one, now.toISOString());
    return true;
  });
}

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
