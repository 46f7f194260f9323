import { sql, type QueryExecutorProvider } from 'kysely';
import type { RetentionKind } from '../base/settings/retention-settings.ts';

/** No transaction of a deletion run touches more rows, so that other transactions wait only briefly. */
export const ROWS_A_TRANSACTION = 500;

/** Deletes the old rows of a part of the store. */
export interface Retention {
  kind: RetentionKind;
  /**
   * Deletes the rows older than an instant, in several transactions, and yields the number deleted by each. The caller
   * may stop after any of them; the next call resumes from there.
   */
  prune(before: Date): AsyncIterable<number>;
}

/** Repeats a deletion until no rows are left. @example untilNothingIsLeft(() => deleteSome(db, before)) */
export async function* untilNothingIsLeft(deleteSome: () => Promise<number>): AsyncGenerator<number> {
  for (let rows = await deleteSome(); rows > 0; rows = await deleteSome()) yield rows;
}

/**
 * Deletes some rows of a table that are older than an instant or a day, the oldest first.
 *
 * @param key the columns that identify a row
 * @param column text that sorts by time
 * @returns the number of deleted rows; 0 when none is left
 * @example deleteSomeOld(db, { table: 'audit', key: ['about', 'position'], column: 'at' }, before.toISOString())
 */
export async function deleteSomeOld(
  db: QueryExecutorProvider,
  { table, key, column }: { table: string; key: readonly string[]; column: string },
  before: string,
): Promise<number> {
  const [from, names, at] = [sql.table(table), sql.join(key.map((name) => sql.ref(name))), sql.ref(column)];
  const { numAffectedRows } = await sql`
    delete from ${from} where (${names}) in (
      select ${names} from ${from} where ${at} < ${before} order by ${at} limit ${sql.lit(ROWS_A_TRANSACTION)}
    )`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** @param boundOf converts the instant to the format of the column */
export const rowRetention = (
  db: QueryExecutorProvider,
  kind: RetentionKind,
  table: Parameters<typeof deleteSomeOld>[1],
  boundOf = (before: Date) => before.toISOString(),
): Retention => ({ kind, prune: (before) => untilNothingIsLeft(() => deleteSomeOld(db, table, boundOf(before))) });
