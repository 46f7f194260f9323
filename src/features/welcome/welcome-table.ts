import type { Kysely } from 'kysely';
import type { PoliciesOf } from '../../core/store/table-policy.ts';
import type { Database, DatabaseTransaction, Tables } from '../../core/store/tables.ts';

type WelcomeTables = {
  /** `admins`, or the id of a channel. */
  welcomes: { place: string; at: string };
};

export const welcomePolicies: PoliciesOf<WelcomeTables> = {
  welcomes: { what: 'where Quartermaster said what it is' },
};

const tables = (db: Kysely<Tables>) => db.withTables<WelcomeTables>();

export async function wasWelcomed(db: Database, place: string): Promise<boolean> {
  const row = await tables(db).selectFrom('welcomes').select('at').where('place', '=', place).executeTakeFirst();
  return row !== undefined;
}

/** @returns false if it was said before */
export async function recordWelcome(trx: DatabaseTransaction, place: string, now: Date): Promise<boolean> {
  const inserted = await tables(trx)
    .insertInto('welcomes')
    .values({ place, at: now.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}
