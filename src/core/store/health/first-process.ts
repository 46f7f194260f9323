import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { HOUR_MS } from '../../base/time/durations.ts';
import type { Clock } from '../../base/time/clock.ts';
import { hasRowLocks, processOf } from '../lease.ts';
import type { Database } from '../tables.ts';
import { runningProcesses } from './heartbeat.ts';

/**
 * Of all running processes the first one does the work that costs the same in each of them. Two may be first for a
 * moment, so the database still decides races; after a death none is for up to a minute.
 */
export async function isFirstProcess(db: Database): Promise<boolean> {
  const own = processOf(db);
  if (own === null || !hasRowLocks(db)) return true;
  const before = await runningProcesses(db).select('process').where('process', '<', own).limit(1).executeTakeFirst();
  return before === undefined;
}

/** A first process may run and still not reach the platform. */
const OTHERS_EVERY_MS = 6 * HOUR_MS;

/**
 * Returns whether it is the turn of this process: always for the first process, and for the others at their start and
 * every six hours.
 *
 * @example if (!(await isTurn())) return;
 */
export function createTurns({ db, clock }: { db: Database; clock: Clock }): () => Promise<boolean> {
  let last: Date | undefined;
  return async () => {
    const now = clock.now();
    const isWaitOver = last === undefined || now.getTime() - last.getTime() >= OTHERS_EVERY_MS;
    if (!isWaitOver && !(await isFirstProcess(db))) return false;
    last = now;
    return true;
  };
}

/** An SQL condition: the column names a process that runs, and not this one. */
export const isRunningElsewhere = (db: Database, column: string, own: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(column)} <> ${own} and exists ${runningProcesses(db).select('process').where('process', '=', sql.ref<string>(column))})`;
