import type { Part } from '../../analytics/day-facts.ts';
import type { Period } from '../../base/time/calendar.ts';
import { costAt, splitCost, type Cost, type PartCosts } from '../../base/text/money.ts';
import type { AmountsOf } from '../measures/breakdown.ts';
import { rowsWithin, type DatedRow } from '../measures/figures.ts';
import type { PriceList } from './price-list.ts';

type CreditsOfDay = DatedRow & { billable_tokens: number };

/** What the credits of the published days of a period cost. */
export function creditsCost(
  prices: PriceList | undefined,
  credits: Part<CreditsOfDay>,
  period: Period,
): Cost | undefined {
  return prices?.costOf(rowsWithin(credits, period).map((row) => [row.date, row.billable_tokens]));
}

/**
 * Money at two prices shows what was used before and after the change of the price. So readers who may not see single
 * days get money only at one price.
 */
export function costAtOnePrice(prices: PriceList | undefined, credits: number, period: Period): Cost | undefined {
  const price = prices?.over(period);
  return price && costAt(price, credits);
}

/** What each part of these credits costs; undefined if the whole has no cost. */
export function creditsPartCosts<Row extends CreditsOfDay>(
  prices: PriceList | undefined,
  credits: Part<Row>,
  period: Period,
  amounts: AmountsOf<Row>,
): PartCosts | undefined {
  const total = creditsCost(prices, credits, period);
  if (!prices || !total) return undefined;
  const days = rowsWithin(credits, period).flatMap((row) =>
    [...amounts(row)].map(([name, amount]) => ({ name, dated: [row.date, amount] as const })),
  );
  const costs = [...Map.groupBy(days, ({ name }) => name)].flatMap(([name, theirs]) => {
    const cost = prices.costOf(theirs.map(({ dated }) => dated));
    return cost ? [[name, cost] as const] : [];
  });
  return splitCost(total, new Map(costs));
}
