import { sql, type QueryExecutorProvider } from 'kysely';
import type { RetentionKind } from '../base/settings/retention.ts';

/** No transaction of a pruning touches more rows, so that nobody waits for it long. */
export const ROWS_A_TRANSACTION = 500;

/** What deletes the rows of a part that were kept long enough. */
export interface Retention {
  kind: RetentionKind;
  /**
   * Deletes what is older than an instant, a transaction at a time; each number is how many rows one of them deleted. It may be
   * left after any of them, and goes on where it was when it is called again.
   */
  prune(before: Date): AsyncIterable<number>;
}

/** Goes on until there is nothing left. @example untilNothingIsLeft(() => deleteSome(db, before)) */
export async function* untilNothingIsLeft(deleteSome: () => Promise<number>): AsyncGenerator<number> {
  for (let rows = await deleteSome(); rows > 0; rows = await deleteSome()) yield rows;
}

/**
 * Deletes some rows of a table that are older than an instant or a day, the oldest first.
 *
 * @param key the columns by which a row is known
 * @param column text that sorts by time
 * @returns how many; 0 when nothing is left
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

/** @param boundOf with what the column of a row that is too old is compared */
export const rowRetention = (
  db: QueryExecutorProvider,
  kind: RetentionKind,
  table: Parameters<typeof deleteSomeOld>[1],
  boundOf = (before: Date) => before.toISOString(),
): Retention => ({ kind, prune: (before) => untilNothingIsLeft(() => deleteSomeOld(db, table, boundOf(before))) });
