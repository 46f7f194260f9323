import { sql, type QueryExecutorProvider } from 'kysely';
import type { RetentionKind } from '../base/settings/retention-settings.ts';
import type { Database } from './tables.ts';

/** More rows would let other transactions wait for long. */
export const ROWS_A_TRANSACTION = 500;

export interface Retention {
  kind: RetentionKind;
  /** Deletes in several transactions, and yields the rows of each. After a break, the next call resumes there. */
  prune(db: Database, before: Date): AsyncIterable<number>;
}

/** @example untilNothingIsLeft(() => deleteSome(db, before)) */
export async function* untilNothingIsLeft(deleteSome: () => Promise<number>): AsyncGenerator<number> {
  for (let rows = await deleteSome(); rows > 0; rows = await deleteSome()) yield rows;
}

/**
 * Deletes some rows older than an instant or a day, the oldest first. Returns their number; 0 when none is left.
 *
 * @param key the columns that identify a row
 * @param column text that sorts by time
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
  kind: RetentionKind,
  table: Parameters<typeof deleteSomeOld>[1],
  boundOf = (before: Date) => before.toISOString(),
): Retention => ({ kind, prune: (db, before) => untilNothingIsLeft(() => deleteSomeOld(db, table, boundOf(before))) });
