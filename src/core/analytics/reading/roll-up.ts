import type { ExpressionBuilder } from 'kysely';
import { dayOf, plusDays, type Day } from '../../base/time/calendar.ts';
import type { Database, Tables } from '../../store/tables.ts';
import { ROWS_A_TRANSACTION, type Retention } from '../../store/row-retention.ts';
import type { Resource } from './analytics-day-table.ts';
import { pruneStoredPeople } from './stored-people.ts';

/** Reading a day may have begun before midnight, and clocks differ. */
const GRACE_DAYS = 1;

/** Keeps the organization’s totals and deletes people’s rows; a marked day never looks like a day without use. */
export const peopleRetention: Retention = {
  kind: 'people',
  prune: async function* (db, before) {
    const end = plusDays(dayOf(before), -GRACE_DAYS);
    let isAnyDeleted = false;
    for await (const rows of eachDayOfColumns(db, end)) {
      isAnyDeleted = true;
      yield rows;
    }
    // Looking for them reads all columns.
    if (isAnyDeleted) yield* pruneStoredPeople(db);
    // Rows that versions before 0.4.0 stored.
    yield* eachDay(db, 'tokens', end, (day) => rollUp(db, day));
    // These rows hold no totals. Without its first part, a day counts as never read.
    yield* eachDay(db, 'users', end, (day) => deleteSomeParts(db, 'users', day, 'asc'));
  },
};

async function* eachDayOfColumns(db: Database, end: Day): AsyncGenerator<number> {
  const days = await db
    .selectFrom('analyticsColumns')
    .select(['resource', 'day', 'state'])
    .where('day', '<', end)
    .orderBy('day')
    .orderBy('resource')
    .execute();
  for (const { resource, day, state } of days) {
    yield await db.transaction().execute(async (trx) => {
      const { numDeletedRows } = await trx
        .deleteFrom('analyticsColumns')
        .where((where) => where.and({ resource, day, state }))
        .executeTakeFirst();
      if (numDeletedRows === 0n) return 0;
      const row = (where: ExpressionBuilder<Tables, 'analyticsDays'>) => where.and({ resource, day, part: 0 });
      // These rows hold no totals. Without its first part, a day counts as never read.
      if (resource === 'users') await trx.deleteFrom('analyticsDays').where(row).execute();
      // A day that was never read as settled is read again on request.
      else if (state === 'fresh') await trx.updateTable('analyticsDays').set({ state }).where(row).execute();
      return Number(numDeletedRows);
    });
  }
}

async function* eachDay(
  db: Database,
  resource: Resource,
  end: Day,
  deleteSome: (day: Day) => Promise<number>,
): AsyncGenerator<number> {
  for (let after = ''; ;) {
    const next = await db
      .selectFrom('analyticsDays')
      .select('day')
      .where('resource', '=', resource)
      .where('day', '>', after)
      .where('day', '<', end)
      .where('part', '>=', firstPartOf(resource))
      .orderBy('day')
      .limit(1)
      .executeTakeFirst();
    if (!next) return;
    for (let rows = ROWS_A_TRANSACTION; rows >= ROWS_A_TRANSACTION;) {
      rows = await deleteSome(next.day);
      if (rows > 0) yield rows;
    }
    after = next.day;
  }
}

/** Marks the day first: if it has very many people, their rows are deleted in several transactions. */
async function rollUp(db: Database, day: Day): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await trx
      .updateTable('analyticsDays')
      .set({ state: 'rolled_up' })
      .where((where) => where.and({ resource: 'tokens', day, part: 0 }))
      // A day that was never read as settled is read again on request.
      .where('state', '=', 'settled')
      .execute();
    return deleteSomeParts(trx, 'tokens', day, 'desc');
  });
}

/** The first part of a day about people; for `users`, all parts are. */
const firstPartOf = (resource: Resource) => (resource === 'users' ? 0 : 1);

async function deleteSomeParts(db: Database, resource: Resource, day: Day, order: 'asc' | 'desc'): Promise<number> {
  const parts = db
    .selectFrom('analyticsDays')
    .select('part')
    .where((where) => where.and({ resource, day }))
    .where('part', '>=', firstPartOf(resource))
    .orderBy('part', order)
    .limit(ROWS_A_TRANSACTION);
  const deleted = await db
    .deleteFrom('analyticsDays')
    .where((where) => where.and({ resource, day }))
    .where('part', 'in', parts)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}
