import { dayOf, plusDays, type Day } from '../../base/time/calendar.ts';
import type { Database } from '../../store/tables.ts';
import { ROWS_A_TRANSACTION, type Retention } from '../../store/retention.ts';
import type { Resource } from './analytics-day-table.ts';

/** Somebody may have begun to read a day before midnight, and clocks differ. */
const GRACE_DAYS = 1;

/**
 * Rolls days up whose people were kept long enough: the totals of the organization stay, the rows of people go. A day is rolled
 * up whole or not at all, and says so itself, so that it never looks like a day on which nobody used anything.
 */
export function peopleRetention(db: Database): Retention {
  return {
    kind: 'people',
    prune: async function* (before) {
      const end = plusDays(dayOf(before), -GRACE_DAYS);
      yield* eachDay(db, 'tokens', end, (day) => rollUp(db, day));
      // Nothing of these is about the organization. Without its first part a day counts as never read.
      yield* eachDay(db, 'users', end, (day) => forgetSome(db, 'users', day, 'asc'));
    },
  };
}

/** Goes through the days before one that have rows of people. */
async function* eachDay(
  db: Database,
  resource: Resource,
  end: Day,
  forget: (day: Day) => Promise<number>,
): AsyncGenerator<number> {
  for (let after = ''; ;) {
    const next = await db
      .selectFrom('analytics_days')
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
      rows = await forget(next.day);
      if (rows > 0) yield rows;
    }
    after = next.day;
  }
}

/** The mark comes first: of a day with very many people the rest goes in further transactions. */
async function rollUp(db: Database, day: Day): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await trx
      .updateTable('analytics_days')
      .set({ state: 'rolled_up' })
      .where('resource', '=', 'tokens')
      .where('day', '=', day)
      .where('part', '=', 0)
      // What was never read as settled is read once more when it is asked for.
      .where('state', '=', 'settled')
      .execute();
    return forgetSome(trx, 'tokens', day, 'desc');
  });
}

/** Parts of a day that are about people; of `users` all of them are. */
const firstPartOf = (resource: Resource) => (resource === 'users' ? 0 : 1);

async function forgetSome(db: Database, resource: Resource, day: Day, order: 'asc' | 'desc'): Promise<number> {
  const parts = db
    .selectFrom('analytics_days')
    .select('part')
    .where('resource', '=', resource)
    .where('day', '=', day)
    .where('part', '>=', firstPartOf(resource))
    .orderBy('part', order)
    .limit(ROWS_A_TRANSACTION);
  const deleted = await db
    .deleteFrom('analytics_days')
    .where('resource', '=', resource)
    .where('day', '=', day)
    .where('part', 'in', parts)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}
