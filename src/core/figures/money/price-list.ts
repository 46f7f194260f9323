import type { Day, Period } from '../../base/time/calendar.ts';
import { type Cost, type Price, costAt, formatPrice, isSamePrice, sumCosts } from '../../base/text/numbers.ts';
import type { Kysely } from 'kysely';
import { FIRST_ANALYTICS_DAY } from '../../platform/endpoints/analytics-range.ts';
import { BOT_ACTOR, audit } from '../../store/audit.ts';
import type { PoliciesOf } from '../../store/table-policy.ts';
import { prepareQuery } from '../../store/prepared-query.ts';
import type { Database, DatabaseTransaction, Tables } from '../../store/tables.ts';

export interface DatedPrice extends Price {
  from: Day;
}

export type DailyAmounts = readonly (readonly [day: Day, credits: number])[];

export interface PriceList {
  isEmpty: boolean;
  on(day: Day): DatedPrice | undefined;
  /** The one price of all these days; undefined if it changes, or if there is none on a day. */
  over(period: Period): Price | undefined;
  /** undefined if a day has no price, or if the currency changes. */
  costOf(amounts: DailyAmounts): Cost | undefined;
}

export function createPriceList(prices: readonly DatedPrice[]): PriceList {
  const newestFirst = prices.toSorted((a, b) => (a.from > b.from ? -1 : 1));
  const on = (day: Day): DatedPrice | undefined => newestFirst.find(({ from }) => from <= day);
  return {
    isEmpty: prices.length === 0,
    on,
    over: ({ first, last }) => {
      const price = on(first);
      const changes = newestFirst.filter(({ from }) => first < from && from <= last);
      return price && changes.every((change) => isSamePrice(change, price)) ? price : undefined;
    },
    costOf: (amounts) => {
      const costs = amounts.flatMap(([day, credits]) => {
        const price = on(day);
        return price ? [costAt(price, credits)] : [];
      });
      return costs.length === amounts.length ? sumCosts(costs) : undefined;
    },
  };
}

export const NO_PRICES = createPriceList([]);

type CreditPriceTables = {
  /** What a million credits cost from a day on, until the next price. */
  creditPrices: { fromDay: Day; perMillion: string; currency: string; changedBy: string | null; at: string };
};

export const creditPricePolicies: PoliciesOf<CreditPriceTables> = {
  creditPrices: { what: 'who set the price of credits', reasonToKeep: 'the price is used' },
};

const tables = (db: Kysely<Tables>) => db.withTables<CreditPriceTables>();

export interface StoredPrice extends DatedPrice {
  /** null if it comes from the settings. */
  by: string | null;
}

const readPrices = prepareQuery([], (db) => tables(db).selectFrom('creditPrices').selectAll().orderBy('fromDay'));

/** Oldest first. */
export async function listPrices(db: Kysely<Tables>): Promise<StoredPrice[]> {
  const rows = await readPrices(db, {});
  return rows.map(({ fromDay: from, perMillion, currency, changedBy: by }) => ({ from, perMillion, currency, by }));
}

/** @param prices oldest first */
export const priceOn = (prices: readonly StoredPrice[], day: Day): StoredPrice | undefined =>
  prices.findLast(({ from }) => from <= day);

export async function readPriceList(db: Kysely<Tables>): Promise<PriceList> {
  return createPriceList(await listPrices(db));
}

/** The setting is the first price, for all days; later, only the store counts. */
export async function storeFirstPrice(db: Database, setting: Price | undefined, now: Date): Promise<void> {
  if (!setting) return;
  await db.transaction().execute(async (trx) => {
    if ((await listPrices(trx)).length > 0) return;
    const row = rowOf({ ...setting, from: FIRST_ANALYTICS_DAY }, null, now);
    const inserted = await tables(trx)
      .insertInto('creditPrices')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    // Another replica was faster.
    if (inserted.numInsertedOrUpdatedRows !== 1n) return;
    await audit(trx, { ...entryOf(row), actor: BOT_ACTOR, action: 'took the price from the settings' }, now);
  });
}

/** Replaces the price from the same day. */
export async function setPrice(trx: DatabaseTransaction, price: DatedPrice, by: string, now: Date): Promise<void> {
  const { fromDay, ...rest } = rowOf(price, by, now);
  await tables(trx)
    .insertInto('creditPrices')
    .values({ fromDay, ...rest })
    .onConflict((conflict) => conflict.column('fromDay').doUpdateSet(rest))
    .execute();
  await audit(trx, { ...entryOf({ fromDay, ...rest }), actor: by, action: 'set the price of credits' }, now);
}

const rowOf = ({ from: fromDay, perMillion, currency }: DatedPrice, changedBy: string | null, now: Date) => ({
  fromDay,
  perMillion,
  currency,
  changedBy,
  at: now.toISOString(),
});

const entryOf = ({ fromDay, ...price }: Price & { fromDay: Day }) => ({
  about: 'credits:price',
  detail: `${formatPrice(price)} per million from ${fromDay}`,
});
