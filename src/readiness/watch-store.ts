import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Database, DatabaseTransaction } from '../store/tables.ts';
import type { RepositoryReports } from './reports-fold.ts';
import type { Score } from './scores.ts';
import type { ReadinessTables, ReadinessWatchTable } from './watch-table.ts';

export type ReadinessWatch = Selectable<ReadinessWatchTable>;

const scoreSchema = z.object({
  passed: z.number(),
  criteria: z.number(),
  numerator: z.number(),
  denominator: z.number(),
});

const tablesOf = (db: Database) => db.withTables<ReadinessTables>();
const tablesIn = (trx: DatabaseTransaction) => trx.withTables<ReadinessTables>();

export async function listWatches(db: Database): Promise<ReadinessWatch[]> {
  return tablesOf(db).selectFrom('readiness_watches').selectAll().orderBy('created_at').execute();
}

/**
 * Begins a watch with what is known now: nothing that is past is told. While others watch, what they have not been told yet
 * stays so.
 *
 * @returns `false` when there is one already
 */
export async function addWatch(
  db: Database,
  watch: ReadinessWatch,
  known: readonly RepositoryReports[],
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const tables = tablesIn(trx);
    const others = await tables.selectFrom('readiness_watches').select('channel').limit(1).execute();
    const inserted = await tables
      .insertInto('readiness_watches')
      .values(watch)
      .onConflict((conflict) => conflict.columns(['channel', 'repository']).doNothing())
      .executeTakeFirst();
    if (!inserted.numInsertedOrUpdatedRows) return false;
    if (others.length === 0) await tables.deleteFrom('readiness_seen').execute();
    for (const one of known) await rememberFirst(trx, one, watch.created_at);
    return true;
  });
}

/** @returns how many were ended */
export async function removeWatches(db: Database, channel: string, repository: string | undefined): Promise<number> {
  const removed = await tablesOf(db)
    .deleteFrom('readiness_watches')
    .where('channel', '=', channel)
    .$if(repository !== undefined, (query) => query.where('repository', '=', repository ?? ''))
    .executeTakeFirst();
  return Number(removed.numDeletedRows);
}

/** What is known of each repository. */
export async function readSeen(db: Database): Promise<Map<string, { reportId: string; score: Score }>> {
  const rows = await tablesOf(db).selectFrom('readiness_seen').selectAll().execute();
  return new Map(
    rows.map((row) => [row.repository, { reportId: row.report_id, score: scoreSchema.parse(JSON.parse(row.score)) }]),
  );
}

/** Notes the first report of a repository that anybody watches. */
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

/** @returns `false` when another process was faster: it tells what is to be told */
export async function moveOn(
  trx: DatabaseTransaction,
  { repository, outlines: [latest] }: RepositoryReports,
  fromReportId: string,
  at: string,
): Promise<boolean> {
  if (!latest) return false;
  const updated = await tablesIn(trx)
    .updateTable('readiness_seen')
    .set({ report_id: latest.reportId, score: JSON.stringify(latest.score), seen_at: at })
    .where('repository', '=', repository.key)
    .where('report_id', '=', fromReportId)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}
