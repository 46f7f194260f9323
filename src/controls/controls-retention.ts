import { ROWS_A_TRANSACTION, rowRetention, untilNothingIsLeft, type Retention } from '../store/row-retention.ts';
import type { Database } from '../store/tables.ts';
import { tablesIn } from './core/controls-tables.ts';

const ACKNOWLEDGED = { table: 'controls_acknowledged', key: ['notice_key', 'through'], column: 'at' };

/** Deletes the authors and acknowledgements of old changes; the changes themselves stay. */
export const controlsRetention: readonly Retention[] = [
  { kind: 'audit', prune: (db, before) => untilNothingIsLeft(() => forgetAuthors(db, before)) },
  rowRetention('audit', ACKNOWLEDGED),
];

async function forgetAuthors(db: Database, before: Date): Promise<number> {
  const tables = tablesIn(db);
  const named = tables
    .selectFrom('revisions')
    .select('revision')
    .where('changed_at', '<', before.toISOString())
    .where((where) =>
      where.or([
        where('user_id', 'is not', null),
        where('user_name', 'is not', null),
        where('user_email', 'is not', null),
      ]),
    )
    .limit(ROWS_A_TRANSACTION);
  const emptied = await tables
    .updateTable('revisions')
    .set({ user_id: null, user_name: null, user_email: null })
    .where('revision', 'in', named)
    .executeTakeFirst();
  return Number(emptied.numUpdatedRows);
}
