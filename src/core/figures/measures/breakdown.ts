import { hasSameWeekdays, weekdayWeights } from '../../analytics/period.ts';
import type { Part } from '../../analytics/day-facts.ts';
import type { Day, Period } from '../../base/time/calendar.ts';
import { clip } from '../../base/text/markup.ts';
import {
  type Cost,
  type PartCosts,
  ROUNDING,
  costAt,
  countOf,
  formatCompact,
  formatShare,
  partNote,
  splitCost,
  sumCosts,
} from '../../base/text/numbers.ts';
import { changeWords } from './sentences.ts';
import { type DatedRow, type Figure, type ReportScope, isComparable, rowsWithin } from './figures.ts';
import { firstInOrder, sumOf } from '../../base/statistics.ts';
import type { CreditsRow, ToolsRow } from '../../platform/endpoints/analytics-rows.ts';
import type { DailyAmounts, PriceList } from '../money/price-list.ts';

export interface NamedFigure extends Figure {
  name: string;
}

export type AmountsOf<Row> = (row: Row) => Iterable<readonly [name: string, amount: number]>;

export function amountsByName<Row>(
  rows: readonly Row[],
  amounts: AmountsOf<Row>,
  weightOf: (row: Row) => number = () => 1,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const weight = weightOf(row);
    for (const [name, amount] of amounts(row)) sums.set(name, (sums.get(name) ?? 0) + amount * weight);
  }
  return sums;
}

/** Splits a figure of a period by name, largest first. Names that were used only in the compared period have 0. */
export function breakdownOf<Row extends DatedRow>(
  part: Part<Row>,
  scope: ReportScope,
  amounts: AmountsOf<Row>,
): NamedFigure[] {
  const now = amountsByName(rowsWithin(part, scope.period), amounts);
  const { comparedWith } = scope;
  const isCompared = comparedWith !== undefined && isComparable(part, scope);
  const before = isCompared ? amountsBefore(part, scope.period, comparedWith, amounts) : new Map<string, number>();
  const isAdjusted = isCompared && !hasSameWeekdays(scope.period, comparedWith);
  const was = isAdjusted ? amountsByName(rowsWithin(part, comparedWith), amounts) : undefined;
  return [...new Set([...now.keys(), ...before.keys()])]
    .map((name): NamedFigure => {
      const value = now.get(name) ?? 0;
      if (!isCompared) return { name, value };
      return { name, value, before: before.get(name) ?? 0, ...(was && { was: was.get(name) ?? 0 }) };
    })
    .filter(({ value, before: was }) => value !== 0 || (was ?? 0) !== 0)
    .toSorted(largestFirst);
}

function amountsBefore<Row extends DatedRow>(
  part: Part<Row>,
  period: Period,
  comparedWith: Period,
  amounts: AmountsOf<Row>,
): Map<string, number> {
  const weightOf = weekdayWeights(period, comparedWith);
  return amountsByName(rowsWithin(part, comparedWith), amounts, ({ date }) => weightOf(date));
}

const largestFirst = (a: NamedFigure, b: NamedFigure) => b.value - a.value || (a.name < b.name ? -1 : 1);

/** Names come from outside; longer ones only push the figures out of sight. */
const MAX_NAME = 60;

export function shortName(name: string): string {
  return clip(name, MAX_NAME) || '–';
}

/** Takes items in any order. @example shareLines(models, 5, 'other model') // ['atlas-large: 1.2 K (60%, up 20%)', …, '3 other models: 90 (4%)'] */
export function shareLines(
  items: readonly NamedFigure[],
  most: number,
  noun: string,
  plural = `${noun}s`,
  costs?: PartCosts,
): string[] {
  const total = sumOf(items, (item) => item.value);
  const used = items.filter((item) => item.value !== 0);
  const namedItems = largestFigures(used, most);
  const rest = used.filter((item) => !namedItems.includes(item));
  const lines = namedItems.map((item) => {
    const words = [formatShare(item.value, total), changeWords(item, total)].filter((word) => word !== '');
    return `${shortName(item.name)}: ${formatCompact(item.value)}${partNote(costs, [item.name])} (${words.join(', ')})`;
  });
  if (rest.length === 0) return lines;
  const amount = sumOf(rest, (item) => item.value);
  const note =
    costs === undefined
      ? ''
      : partNote(
          costs,
          rest.map(({ name }) => name),
        );
  return [
    ...lines,
    `${countOf(rest.length, noun, plural)}: ${formatCompact(amount)}${note} (${formatShare(amount, total)})`,
  ];
}

/** Returns the largest, in order. A single remaining one is as short by name as by number, so it is among them. */
export const largestFigures = (used: readonly NamedFigure[], most: number): NamedFigure[] =>
  firstInOrder(used, used.length === most + 1 ? used.length : most, largestFirst);

type Amounts = (readonly [name: string, amount: number])[];

export const NO_MODEL = 'no model named';

const UNKNOWN_TIER = 'unknown tier';

/** Returns credits by model; credits of the day beyond its models remain visible as `NO_MODEL`. */
export function modelCredits(row: CreditsRow): Amounts {
  const amounts: Amounts = row.by_model.map((model) => [model.model_id, model.billable_tokens]);
  return withRest(amounts, NO_MODEL, row.billable_tokens);
}

export function tierCredits(row: CreditsRow): Amounts {
  const amounts: Amounts = row.by_model.map((model) => [model.model_tier ?? UNKNOWN_TIER, model.billable_tokens]);
  return withRest(amounts, UNKNOWN_TIER, row.billable_tokens);
}

/** Returns calls by tool; names with parsing artifacts, and calls without a name, are "other". */
export function toolCalls(row: ToolsRow): Amounts {
  const amounts: Amounts = row.by_tool.map(({ tool, invocations }) => [toolName(tool), invocations]);
  return withRest(amounts, OTHER_TOOLS, row.tool_calls);
}

function withRest(amounts: Amounts, name: string, total: number): Amounts {
  const rest = total - sumOf(amounts, ([, amount]) => amount);
  // A breakdown may exceed the total, for example if it is rounded: that is no negative rest.
  // Adding decimals leaves a tiny rest, which is none either.
  return rest > total * ROUNDING ? [...amounts, [name, rest]] : amounts;
}

export const OTHER_TOOLS = 'other';

/** Names with other characters (markup, quotes, blanks) are parsing artifacts: 0.006 % by the platform’s document. */
const TOOL_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,99}$/;

/** @example toolName('mcp__github__search') // 'mcp__github__search'; toolName('Read</tool_name>') // 'other' */
export function toolName(name: string): string {
  return TOOL_NAME.test(name) ? name : OTHER_TOOLS;
}

/** Returns calls by server; names that differ only in letter case are merged under the most frequent spelling. */
export function serverCalls(rows: readonly ToolsRow[]): AmountsOf<ToolsRow> {
  const spellings = amountsByName(rows, serversOf);
  const best = new Map<string, string>();
  for (const [name, calls] of spellings) {
    const key = name.toLowerCase();
    const bestName = best.get(key);
    const most = bestName === undefined ? -1 : (spellings.get(bestName) ?? 0);
    if (calls > most || (calls === most && bestName !== undefined && name < bestName)) best.set(key, name);
  }
  return (row) => serversOf(row).map(([name, calls]) => [best.get(name.toLowerCase()) ?? name, calls] as const);
}

function serversOf(row: ToolsRow): (readonly [name: string, calls: number])[] {
  return row.mcp_by_server.map(({ server, invocations }) => [server, invocations]);
}

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
