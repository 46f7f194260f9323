import { ROWS_A_TRANSACTION, rowRetention, untilNothingIsLeft, type Retention } from '../store/row-retention.ts';
import type { Database } from '../store/tables.ts';
import { tablesIn } from './core/controls-tables.ts';

const ACKNOWLEDGED = { table: 'controlsAcknowledged', key: ['noticeKey', 'through'], column: 'at' };

/** Deletes the authors and acknowledgements of old changes; the changes themselves stay. */
export function controlsRetention(db: Database): Retention[] {
  return [
    { kind: 'audit', prune: (before) => untilNothingIsLeft(() => forgetAuthors(db, before)) },
    rowRetention(db, 'audit', ACKNOWLEDGED),
  ];
}

async function forgetAuthors(db: Database, before: Date): Promise<number> {
  const tables = tablesIn(db);
  const named = tables
    .selectFrom('revisions')
    .select('revision')
    .where('changedAt', '<', before.toISOString())
    .where((where) =>
      where.or([
        where('userId', 'is not', null),
        where('userName', 'is not', null),
        where('userEmail', 'is not', null),
      ]),
    )
    .limit(ROWS_A_TRANSACTION);
  const emptied = await tables
    .updateTable('revisions')
    .set({ userId: null, userName: null, userEmail: null })
    .where('revision', 'in', named)
    .executeTakeFirst();
  return Number(emptied.numUpdatedRows);
}
