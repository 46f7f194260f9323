import { sql } from 'kysely';
import { MINUTE_MS } from '../../base/time/durations.ts';
import type { DatabaseTransaction } from '../tables.ts';
import { readStoreNow } from '../lease.ts';

/** A smaller difference between two clocks is ordinary. */
const AHEAD_MS = MINUTE_MS;

/** The columns that follow the store's clock; a test compares them with the statements that write it. */
export const STORE_TIME_COLUMNS = [
  'leased_until',
  'next_attempt_at',
  'channel_rests_until',
  'last_posting_at',
  'unreadable_since',
  'next_poll_at',
  'went_back_at',
] as const;

/**
 * Corrects times from a process whose clock was ahead, such as a hardware clock in local time before NTP corrected it.
 * Work due at those times would wait until the clock reaches them; if only one process uses the store, it is due now.
 *
 * @param isAlone no other process uses the store: SQLite
 * @returns a sentence for the operator if the clock was ahead
 */
export async function correctFutureTimes(
  trx: DatabaseTransaction,
  { isAlone }: { isAlone: boolean },
): Promise<string | undefined> {
  const now = await readStoreNow(trx);
  const beats = await trx.selectFrom('storeHeartbeats').select(['process', 'beatAt']).execute();
  // A malformed time compares as false.
  const ahead = beats
    .map(({ process, beatAt: at }) => ({ process, aheadMs: Date.parse(at) - now.getTime() }))
    .filter(({ aheadMs }) => aheadMs > AHEAD_MS);
  if (ahead.length === 0) return undefined;
  const processes = ahead.map(({ process }) => process);
  await trx.deleteFrom('storeHeartbeats').where('process', 'in', processes).execute();
  if (isAlone) await makeDue(trx, now.toISOString());
  const minutes = Math.round(Math.max(...ahead.map(({ aheadMs }) => aheadMs)) / MINUTE_MS);
  return `The clock was ${minutes} minutes ahead when the store was last used, or is that far behind now. Messages that waited by that clock are due now: check the clock of this machine.`;
}

async function makeDue(trx: DatabaseTransaction, now: string): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select tables.name as "table", columns.name as "column"
    from sqlite_master as tables, pragma_table_info(tables.name) as columns
    where tables.type = 'table' and columns.name in (${sql.join(STORE_TIME_COLUMNS)})`.execute(trx);
  for (const { table, column } of rows) {
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${now} where ${sql.ref(column)} > ${now}`.execute(
      trx,
    );
  }
}
