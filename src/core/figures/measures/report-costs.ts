import type { Part } from '../../analytics/day-facts.ts';
import type { Day, Period } from '../../base/time/calendar.ts';
import { costAt, splitCost, sumCosts, type Cost, type PartCosts } from '../../base/text/money.ts';
import type { AmountsOf } from './breakdown.ts';
import { rowsWithin, type DatedRow } from './figures.ts';
import type { DailyAmounts, PriceList } from '../money/price-list.ts';

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

/** Credits of one person: at one price for all days, or for each price the sum under a day at that price. */
export interface PricedCredits {
  credits: number;
  byPrice?: DailyAmounts | undefined;
}

/**
 * Returns the day under which the credits of a day are added up: all days at one price share one. undefined if one price
 * holds for the whole period: then the sum of all its days is enough.
 */
export function dayOfPrice(prices: PriceList, period: Period): ((day: Day) => Day) | undefined {
  if (prices.isEmpty || prices.over(period)) return undefined;
  return (day) => prices.on(day)?.from ?? day;
}

/** Exact. undefined if a published day of the period has no price, or if the currency changes. */
export function costsOfEach<Of extends PricedCredits>(
  prices: PriceList | undefined,
  all: readonly Of[],
  period: Period,
  published: Part<DatedRow>,
): { total: Cost; of: ReadonlyMap<Of, Cost> } | undefined {
  const noCredits = rowsWithin(published, period).map(({ date }) => [date, 0] as const);
  const nothing = prices?.costOf(noCredits);
  if (!prices || !nothing) return undefined;
  const price = prices.over(period);
  const costs = all.map((one) => {
    const cost = price
      ? costAt(price, one.credits)
      : one.byPrice && prices.costOf([...noCredits.slice(0, 1), ...one.byPrice]);
    return cost ? ([one, cost] as const) : undefined;
  });
  const known = costs.filter((cost) => cost !== undefined);
  const total = sumCosts([nothing, ...known.map(([, cost]) => cost)]);
  return total && known.length === all.length ? { total, of: new Map(known) } : undefined;
}
