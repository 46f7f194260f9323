import type { Day, Period } from '../../base/time/calendar.ts';
import { costAt, isSamePrice, sumCosts, type Cost, type Price } from '../../base/text/money.ts';

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
