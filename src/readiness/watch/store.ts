import { z } from 'zod';
import type { ChannelSubscription } from '../../watches/channel-subscription-table.ts';
import { listActiveChannelSubscriptions, startChannelSubscription } from '../../watches/channel-subscriptions.ts';
import type { Database, DatabaseTransaction } from '../../store/tables.ts';
import type { RepositoryReports } from '../reports/reports-fold.ts';
import type { Score } from '../reports/scores.ts';

/** The kind of these among the channel subscriptions; the subject is the key of a repository, or empty: all of them. */
export const READINESS_KIND = 'readiness';

/** The latest report of each repository that watches know of. */
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

const filterSchema = z.object({ label: z.string() });
const scoreSchema = z.object({
  passed: z.number(),
  criteria: z.number(),
  numerator: z.number(),
  denominator: z.number(),
});

const tablesIn = (db: Database) => db.withTables<ReadinessTables>();

/** The name of what is watched, such as `acme/web`. */
export function labelOf({ filter }: Pick<ChannelSubscription, 'filter'>): string {
  return filterSchema.parse(JSON.parse(filter)).label;
}

/** The subjects of the watches that get a repository. */
export const subjectsOf = (repository: string): string[] => [...new Set(['', repository])];

/**
 * Starts a watch with what is known now, or resumes it: nothing that is past is posted. While others are active, what they
 * have not got yet stays so.
 *
 * @returns `false` when it was active already
 */
export async function startWatch(
  db: Database,
  { channel, repository, label, owner }: { channel: string; repository: string; label: string; owner: string },
  known: readonly RepositoryReports[],
  now: Date,
): Promise<boolean> {
  const key = { kind: READINESS_KIND, channel, subject: repository };
  const watch = { ...key, filter: { label }, owner, since: null, detail: repository || null };
  return db.transaction().execute(async (trx) => {
    const others = await listActiveChannelSubscriptions(trx, READINESS_KIND);
    if (!(await startChannelSubscription(trx, watch, now))) return false;
    if (others.length === 0) await tablesIn(trx).deleteFrom('readiness_seen').execute();
    for (const one of known) await rememberFirst(trx, one, now.toISOString());
    return true;
  });
}

export async function readSeen(db: Database): Promise<Map<string, { reportId: string; score: Score }>> {
  const rows = await tablesIn(db).selectFrom('readiness_seen').selectAll().execute();
  return new Map(
    rows.map((row) => [row.repository, { reportId: row.report_id, score: scoreSchema.parse(JSON.parse(row.score)) }]),
  );
}

/** Notes the first report of a repository that somebody watches. */
export async function rememberFirst(
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

/** @returns `false` when another process was faster: it posts what is to be posted */
export async function moveOn(
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
