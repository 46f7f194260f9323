import { z } from 'zod';
import type { Day } from '../../../../core/base/time/calendar.ts';
import { jsonColumn } from '../../../../core/store/json-column.ts';
import type { Database, DatabaseTransaction } from '../../../../core/store/tables.ts';
import { tablesIn, type MarkRow, type ThresholdRow } from './budget-store.ts';

const emailsColumn = jsonColumn(z.array(z.string()));

/** The people that a budget counted from a time on. */
export interface Members {
  revision: number;
  emails: readonly string[];
  at: string;
}

/** Returns all revisions of a budget’s members, oldest first; empty for budgets of the organization or of a model. */
export async function listMembers(db: Database | DatabaseTransaction, budgetId: string): Promise<Members[]> {
  const rows = await tablesIn(db)
    .selectFrom('budgetMembers')
    .selectAll()
    .where('budgetId', '=', budgetId)
    .orderBy('revision')
    .execute();
  return rows.map(({ revision, emails, at }) => ({ revision, emails: emailsColumn.read(emails), at }));
}

/** @returns `false` if another process was faster */
export async function insertMembers(
  trx: DatabaseTransaction,
  budgetId: string,
  { revision, emails }: Pick<Members, 'revision' | 'emails'>,
  now: Date,
): Promise<boolean> {
  const inserted = await tablesIn(trx)
    .insertInto('budgetMembers')
    .values({ budgetId, revision, emails: emailsColumn.write(emails), at: now.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** Returns the marks of these budgets whose periods begin on or after a day. */
export async function listMarks(db: Database, ids: readonly string[], since: Day): Promise<Map<string, MarkRow[]>> {
  if (ids.length === 0) return new Map();
  const rows = await tablesIn(db)
    .selectFrom('budgetMarks')
    .selectAll()
    .where('budgetId', 'in', ids)
    .where('periodFirst', '>=', since)
    .orderBy('at')
    .execute();
  return Map.groupBy(rows, (row) => row.budgetId);
}

export const isThreshold = (row: MarkRow): row is ThresholdRow => row.basis !== 'summary';
