import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { GroupSum } from '../../base/privacy/disclosure.ts';
import { dayOf, type Day, type Period } from '../../base/time/calendar.ts';
import { deleteSomeOld, untilNothingIsLeft, type Retention } from '../../store/row-retention.ts';
import type { PoliciesOf } from '../../store/table-policy.ts';
import type { Database, DatabaseTransaction, Tables } from '../../store/tables.ts';

type GroupTables = {
  usage_group_sets: { id: string; emails: string };
  usage_group_sums: { set_id: string; first_day: string; last_day: string; is_by_day: number; at: string };
  /** The highest version is current. */
  usage_group_versions: { version: number };
};

const tablesIn = (db: Kysely<Tables>) => db.withTables<GroupTables>();

const emailsSchema = z.array(z.string());

/** Reads the version, which increases whenever sums are stored. */
export async function readVersion(db: Database): Promise<number> {
  const row = await tablesIn(db)
    .selectFrom('usage_group_versions')
    .select((select) => select.fn.max('version').as('version'))
    .executeTakeFirst();
  return row?.version ?? 0;
}

/** Reads the sums that share a day with a period. @returns undefined if there are more than `most` */
export async function listSums(db: Database, { first, last }: Period, most: number): Promise<GroupSum[] | undefined> {
  const rows = await tablesIn(db)
    .selectFrom('usage_group_sums')
    .select(['set_id', 'first_day', 'last_day', 'is_by_day'])
    .where('last_day', '>=', first)
    .where('first_day', '<=', last)
    .limit(most + 1)
    .execute();
  if (rows.length > most) return undefined;
  const ids = [...new Set(rows.map((row) => row.set_id))];
  const sets =
    ids.length === 0
      ? []
      : await tablesIn(db).selectFrom('usage_group_sets').selectAll().where('id', 'in', ids).execute();
  const emailsOf = new Map(sets.map(({ id, emails }) => [id, emailsSchema.parse(JSON.parse(emails))]));
  return rows.map((row) => ({
    emails: emailsOf.get(row.set_id) ?? [],
    period: { first: row.first_day, last: row.last_day },
    isByDay: row.is_by_day === 1,
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
    .insertInto('usage_group_versions')
    .values({ version: version + 1 })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (raised.numInsertedOrUpdatedRows !== 1n) return false;
  await tables.deleteFrom('usage_group_versions').where('version', '<=', version).execute();
  for (const { emails, period, isByDay } of sums) {
    const text = JSON.stringify(emails);
    const id = createHash('sha256').update(text).digest('hex').slice(0, 32);
    await tables
      .insertInto('usage_group_sets')
      .values({ id, emails: text })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const row = { set_id: id, first_day: period.first, last_day: period.last, is_by_day: isByDay ? 1 : 0 };
    await tables
      .insertInto('usage_group_sums')
      .values({ ...row, at: now.toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return true;
}

const SUMS = {
  table: 'usage_group_sums',
  key: ['set_id', 'first_day', 'last_day', 'is_by_day'],
  column: 'last_day',
};

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
      .deleteFrom('usage_group_sets')
      .where('id', 'not in', (sums) => sums.selectFrom('usage_group_sums').select('set_id'))
      .execute();
    return rows;
  });
}

export const groupPolicies: PoliciesOf<GroupTables> = {
  usage_group_sets: { what: 'groups with shown totals', reasonToKeep: 'no difference of a few people is shown' },
  usage_group_sums: { what: 'shown group totals', references: ['usage_group_sets'], retention: [groupRetention] },
  usage_group_versions: { what: 'versions of group totals' },
};
