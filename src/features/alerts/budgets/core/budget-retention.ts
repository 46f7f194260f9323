import { dayOf, type Day } from '../../../../core/base/time/calendar.ts';
import { keysReferencedBy } from '../../../../core/outbox/past-deliveries.ts';
import type { Retention } from '../../../../core/store/row-retention.ts';
import type { DatabaseTransaction } from '../../../../core/store/tables.ts';
import { periodOf, type PeriodRule } from './budget.ts';
import { periodColumn, tablesIn } from './budget-store.ts';

/** Deletes the thresholds reported for periods that ended long ago, with the members that were counted in them. */
export const marksRetention: Retention = {
  kind: 'people',
  prune: async function* (db, before) {
    const budgets = await tablesIn(db).selectFrom('budgets').select(['id', 'period']).execute();
    for (const { id, period } of budgets) {
      const rule = periodColumn.read(period);
      const rows = await db.transaction().execute((trx) => deleteEndedPeriods(trx, id, rule, before));
      if (rows > 0) yield rows;
    }
  },
};

async function deleteEndedPeriods(
  trx: DatabaseTransaction,
  id: string,
  rule: PeriodRule,
  before: Date,
): Promise<number> {
  const tables = tablesIn(trx);
  const marks = await tables
    .selectFrom('budgetMarks')
    .select(['periodFirst', 'members'])
    .distinct()
    .where('budgetId', '=', id)
    .execute();
  const isOver = ({ periodFirst: first }: { periodFirst: Day }) =>
    (periodOf(rule, first)?.last ?? first) < dayOf(before);
  const endedPeriods = [...new Set(marks.filter(isOver).map(({ periodFirst: first }) => first))];
  const deleted =
    endedPeriods.length === 0
      ? 0n
      : (
          await tables
            .deleteFrom('budgetMarks')
            .where('budgetId', '=', id)
            .where('periodFirst', 'in', endedPeriods)
            .executeTakeFirst()
        ).numDeletedRows;
  const countedRevisions = marks.filter((mark) => !isOver(mark)).map(({ members }) => members);
  const members = await tables
    .deleteFrom('budgetMembers')
    .where('budgetId', '=', id)
    .where('at', '<', before.toISOString())
    .$if(countedRevisions.length > 0, (query) => query.where('revision', 'not in', countedRevisions))
    .where('revision', '<', (where) =>
      where
        .selectFrom('budgetMembers as latest')
        .select((select) => select.fn.max('latest.revision').as('revision'))
        .where('latest.budgetId', '=', id),
    )
    .executeTakeFirst();
  return Number(deleted + members.numDeletedRows);
}

export const removedRetention: Retention = {
  kind: 'audit',
  prune: async function* (db, before) {
    const removed = await tablesIn(db)
      .selectFrom('budgets')
      .select('id')
      .where('state', '=', 'removed')
      .where('changedAt', '<', before.toISOString())
      .execute();
    for (const { id } of removed) yield await db.transaction().execute((trx) => deleteRemovedBudget(trx, id));
  },
};

async function deleteRemovedBudget(trx: DatabaseTransaction, id: string): Promise<number> {
  const tables = tablesIn(trx);
  const budget = await tables
    .deleteFrom('budgets')
    .where((where) => where.and({ id, state: 'removed' }))
    .executeTakeFirst();
  if (budget.numDeletedRows === 0n) return 0;
  const marks = await tables.deleteFrom('budgetMarks').where('budgetId', '=', id).executeTakeFirst();
  const members = await tables.deleteFrom('budgetMembers').where('budgetId', '=', id).executeTakeFirst();
  return Number(budget.numDeletedRows + marks.numDeletedRows + members.numDeletedRows);
}

/** Returns the keys of messages that may still be corrected, because a mark refers to them. */
export const keysReferencedByMarks = (
  trx: DatabaseTransaction,
  ended: readonly { key: string }[],
): Promise<ReadonlySet<string>> => keysReferencedBy(trx, 'budgetMarks', ended);
