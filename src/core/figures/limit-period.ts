import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Config } from '../base/settings/config.ts';
import { limitPeriodSchema, type LimitPeriod } from '../base/time/limit-period-days.ts';
import { declareOwnerNotice } from '../outbox/owner-notices.ts';
import type { PoliciesOf } from '../store/table-policy.ts';
import { prepareQuery } from '../store/prepared-query.ts';
import type { DatabaseTransaction, Tables } from '../store/tables.ts';

/** At most one row, inserted when an admin is asked. */
type LimitPeriodTables = {
  limitPeriod: { place: 'here'; period: string | null; changedBy: string | null; at: string };
};

export const limitPeriodPolicies: PoliciesOf<LimitPeriodTables> = {
  limitPeriod: { what: 'who set the period of limits', reasonToKeep: 'the period is used' },
};

const tables = (db: Kysely<Tables>) => db.withTables<LimitPeriodTables>();

interface PeriodDeps {
  db: Kysely<Tables>;
  config: Pick<Config, 'limitPeriod'>;
}

/** Alerts write the question. */
export const periodQuestion = declareOwnerNotice('limit-period', z.object({}));

/** Reads over which period a limit counts: the choice of an admin, else the setting. The platform does not say. */
export async function readLimitPeriod({ db, config }: PeriodDeps): Promise<LimitPeriod | undefined> {
  return (await readChosenPeriod(db))?.period ?? config.limitPeriod;
}

const readChoice = prepareQuery([], (db) => tables(db).selectFrom('limitPeriod').select(['period', 'changedBy']));

export async function readChosenPeriod(
  db: Kysely<Tables>,
): Promise<{ period: LimitPeriod; by: string | null } | undefined> {
  const [row] = await readChoice(db, {});
  const period = limitPeriodSchema.safeParse(row?.period).data;
  return row && period ? { period, by: row.changedBy } : undefined;
}

/** Asks the admins once, if the period is unknown. */
export async function askForLimitPeriod(
  trx: DatabaseTransaction,
  { config }: Pick<PeriodDeps, 'config'>,
  now: Date,
): Promise<void> {
  if (config.limitPeriod) return;
  const inserted = await tables(trx)
    .insertInto('limitPeriod')
    .values({ place: 'here', period: null, changedBy: null, at: now.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows !== 1n) return;
  await periodQuestion.notify(trx, null, { key: 'limit-period', payload: {} }, now);
}

export async function chooseLimitPeriod(
  trx: DatabaseTransaction,
  period: LimitPeriod,
  by: string,
  now: Date,
): Promise<void> {
  const choice = { period, changedBy: by, at: now.toISOString() };
  await tables(trx)
    .insertInto('limitPeriod')
    .values({ place: 'here', ...choice })
    .onConflict((conflict) => conflict.column('place').doUpdateSet(choice))
    .execute();
}
