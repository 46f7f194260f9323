import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Database } from '../tables.ts';
import { runningProcesses } from './heartbeat.ts';

/** An SQL condition: the column names a process that runs, and not this one. */
export const isRunningElsewhere = (db: Database, column: string, own: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(column)} <> ${own} and exists ${runningProcesses(db).select('process').where('process', '=', sql.ref<string>(column))})`;
