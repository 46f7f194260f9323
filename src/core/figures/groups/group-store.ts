import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { GroupSum } from '../../base/privacy/disclosure.ts';
import { dayOf, type Day, type Period } from '../../base/time/calendar.ts';
import { deleteSomeOld, untilNothingIsLeft, type Retention } from '../../store/row-retention.ts';
import type { PoliciesOf } from '../../store/table-policy.ts';
import type { Database, DatabaseTransaction, Tables } from '../../store/tables.ts';
import { jsonColumn } from '../../store/json-column.ts';

type GroupTables = {
  usageGroupSets: { id: string; emails: string };
  usageGroupSums: { setId: string; firstDay: string; lastDay: string; isByDay: number; at: string };
  /** The highest version is current. */
  usageGroupVersions: { version: number };
};

const tablesIn = (db: Kysely<Tables>) => db.withTables<GroupTables>();

const emailsColumn = jsonColumn(z.array(z.string()));

/** Reads the version, which increases whenever sums are stored. */
export async function readVersion(db: Database): Promise<number> {
  const row = await tablesIn(db)
    .selectFrom('usageGroupVersions')
    .select((select) => select.fn.max('version').as('version'))
    .executeTakeFirst();
  return row?.version ?? 0;
}

/** Reads the sums that share a day with a period. @returns undefined if there are more than `most` */
export async function listSums(db: Database, { first, last }: Period, most: number): Promise<GroupSum[] | undefined> {
  const rows = await tablesIn(db)
    .selectFrom('usageGroupSums')
    .select(['setId', 'firstDay', 'lastDay', 'isByDay'])
    .where('lastDay', '>=', first)
    .where('firstDay', '<=', last)
    .limit(most + 1)
    .execute();
  if (rows.length > most) return undefined;
  const ids = [...new Set(rows.map((row) => row.setId))];
  const sets =
    ids.length === 0
      ? []
      : await tablesIn(db).selectFrom('usageGroupSets').selectAll().where('id', 'in', ids).execute();
  const emailsOf = new Map(sets.map(({ id, emails }) => [id, emailsColumn.read(emails)]));
  return rows.map((row) => ({
    emails: emailsOf.get(row.setId) ?? [],
    period: { first: row.firstDay, last: row.lastDay },
    isByDay: row.isByDay === 1,
  }));
}

/**
 * Stores sums before they are shown.
 *
 * @param version the version of the sums with which they were compared
 * @returns `false` if another process stored a sum after the version was read
 */
export async function storeSums(
  trx: DatabaseTransaction,
  sums: readonly GroupSum[],
  version: number,
  now: Date,
): Promise<boolean> {
  const tables = tablesIn(trx);
  const raised = await tables
    .insertInto('usageGroupVersions')
    .values({ version: version + 1 })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (raised.numInsertedOrUpdatedRows !== 1n) return false;
  await tables.deleteFrom('usageGroupVersions').where('version', '<=', version).execute();
  for (const { emails, period, isByDay } of sums) {
    const text = emailsColumn.write(emails);
    const id = createHash('sha256').update(text).digest('hex').slice(0, 32);
    await tables
      .insertInto('usageGroupSets')
      .values({ id, emails: text })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const row = { setId: id, firstDay: period.first, lastDay: period.last, isByDay: isByDay ? 1 : 0 };
    await tables
      .insertInto('usageGroupSums')
      .values({ ...row, at: now.toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return true;
}

const SUMS = { table: 'usageGroupSums', key: ['setId', 'firstDay', 'lastDay', 'isByDay'], column: 'lastDay' };

/** Deletes the sums of days whose figures of people are deleted: no group is shown for those days. */
const groupRetention: Retention = {
  kind: 'people',
  prune: (db, before) => untilNothingIsLeft(() => deleteOldSums(db, dayOf(before))),
};

async function deleteOldSums(db: Database, before: Day): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const tables = tablesIn(trx);
    const rows = await deleteSomeOld(trx, SUMS, before);
    await tables
      .deleteFrom('usageGroupSets')
      .where('id', 'not in', (sums) => sums.selectFrom('usageGroupSums').select('setId'))
      .execute();
    return rows;
  });
}

export const groupPolicies: PoliciesOf<GroupTables> = {
  usageGroupSets: { what: 'groups with shown totals', reasonToKeep: 'no difference of a few people is shown' },
  usageGroupSums: { what: 'shown group totals', references: ['usageGroupSets'], retention: [groupRetention] },
  usageGroupVersions: { what: 'versions of group totals' },
};
