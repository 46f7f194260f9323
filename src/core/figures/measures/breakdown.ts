import { hasSameWeekdays, weekdayWeights } from '../../analytics/period.ts';
import type { Part } from '../../analytics/day-facts.ts';
import type { Period } from '../../base/time/calendar.ts';
import { clip } from '../../base/text/markup.ts';
import { partNote, type PartCosts } from '../../base/text/money.ts';
import { countOf, formatCompact, formatShare } from '../../base/text/numbers.ts';
import { changeWords } from './sentences.ts';
import { isComparable, rowsWithin, type DatedRow, type Figure, type ReportScope } from './figures.ts';
import { sumOf } from '../../base/statistics.ts';

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

/** @example shareLines(models, 5, 'other model') // ['atlas-large: 1.2 K (60%, up 20%)', …, '3 other models: 90 (4%)'] */
export function shareLines(
  items: readonly NamedFigure[],
  most: number,
  noun: string,
  plural = `${noun}s`,
  costs?: PartCosts,
): string[] {
  const total = sumOf(items, (item) => item.value);
  const used = items.filter((item) => item.value !== 0);
  // A single remaining item is as short by name as by number.
  const namedItems = used.length === most + 1 ? used : used.slice(0, most);
  const rest = used.slice(namedItems.length);
  const lines = namedItems.map((item) => {
    const words = [formatShare(item.value, total), changeWords(item, total)].filter((word) => word !== '');
    return `${shortName(item.name)}: ${formatCompact(item.value)}${partNote(costs, [item.name])} (${words.join(', ')})`;
  });
  if (rest.length === 0) return lines;
  const amount = sumOf(rest, (item) => item.value);
  const note = partNote(
    costs,
    rest.map(({ name }) => name),
  );
  return [
    ...lines,
    `${countOf(rest.length, noun, plural)}: ${formatCompact(amount)}${note} (${formatShare(amount, total)})`,
  ];
}
