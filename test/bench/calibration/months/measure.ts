import type { DailyCreditsRow } from '../../../../src/core/analytics/day-facts.ts';
import { FORECAST_DAYS } from '../../../../src/core/analytics/period.ts';
import { forecastPeriod } from '../../../../src/core/figures/insight/forecast.ts';
import { createNoise } from '../noise.ts';
import { BASELINE_NAMES, BASELINES, type BaselineName } from './baselines.ts';
import { MONTH_WORLDS, worldAmounts, worldDays, type MonthWorld, type WorldDay } from './worlds.ts';

export const MONTH_DAYS_LEFT = [25, 15, 5, 1] as const;
const JUDGED_MONTHS = 3;
const HISTORY_MONTHS = 4;
const FIRST_YEAR = 2027;
const STARTS = 24;

export interface MonthCell {
  world: string;
  daysLeft: number;
  months: number;
  /** Months with a range. */
  ranges: number;
  /** The months among those that ended in it, above it and below it. */
  inside: number;
  above: number;
  below: number;
  /** Sums over months of the absolute error, and of the error, in shares of the month. */
  off: number;
  bias: number;
  /** Sum of half the width of ranges, in shares of the month. */
  reach: number;
  offBaselines: Record<BaselineName, number>;
}

/**
 * Forecasts the ends of three months of each organization on four mornings, and compares them with the actual ends.
 * @param historyDays how many days before each morning are known
 */
export function measureMonths(organizations: number, seed: number, historyDays: number = FORECAST_DAYS): MonthCell[] {
  return MONTH_WORLDS.flatMap((world, index) => {
    const noise = createNoise(seed + index);
    const cells = MONTH_DAYS_LEFT.map((daysLeft) => emptyCell(world, daysLeft));
    for (let organization = 0; organization < organizations; organization += 1) {
      const start = Math.floor(STARTS * noise.uniform());
      const first = monthStart(start);
      const days = worldDays(first, daysBetween(first, monthStart(start + HISTORY_MONTHS + JUDGED_MONTHS)));
      const judgedFrom = daysBetween(first, monthStart(start + HISTORY_MONTHS));
      const amounts = worldAmounts(world, noise, days, judgedFrom);
      for (let month = 0; month < JUDGED_MONTHS; month += 1) {
        const from = daysBetween(first, monthStart(start + HISTORY_MONTHS + month));
        const to = daysBetween(first, monthStart(start + HISTORY_MONTHS + month + 1));
        for (const cell of cells) judge(cell, days, amounts, { from, to, historyDays });
      }
    }
    return cells;
  });
}

const emptyCell = ({ name }: MonthWorld, daysLeft: number): MonthCell => ({
  world: name,
  daysLeft,
  months: 0,
  ranges: 0,
  inside: 0,
  above: 0,
  below: 0,
  off: 0,
  bias: 0,
  reach: 0,
  offBaselines: { 'seasonal naive': 0, 'median of four': 0, 'Holt-Winters': 0 },
});

const monthStart = (index: number) => new Date(Date.UTC(FIRST_YEAR, index, 1)).toISOString().slice(0, 10);
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

function judge(
  cell: MonthCell,
  days: readonly WorldDay[],
  amounts: readonly number[],
  { from, to, historyDays }: { from: number; to: number; historyDays: number },
): void {
  const today = to - cell.daysLeft;
  const total = sumOf(amounts.slice(from, to));
  const soFar = sumOf(amounts.slice(from, today));
  const rows = days.slice(0, today).map(({ date }, index): DailyCreditsRow => ({
    date,
    billable_tokens: amounts[index] ?? 0,
  }));
  const period = { first: days[from]?.date ?? '', last: days[to - 1]?.date ?? '' };
  const forecast = forecastPeriod(period, rows.slice(from), rows.slice(-historyDays), days[today]?.date ?? '');
  if (forecast.kind !== 'known') throw new Error(`There is no forecast for ${period.last}: ${forecast.kind}`);
  const { expected, range } = forecast.value;
  cell.months += 1;
  cell.off += Math.abs(expected - total) / total;
  cell.bias += (expected - total) / total;
  if (range) {
    cell.ranges += 1;
    cell.reach += (range.upper - range.lower) / 2 / total;
    if (total > range.upper) cell.above += 1;
    else if (total < range.lower) cell.below += 1;
    else cell.inside += 1;
  }
  const known = amounts.slice(Math.max(0, today - FORECAST_DAYS), today);
  for (const name of BASELINE_NAMES)
    cell.offBaselines[name] += Math.abs(soFar + BASELINES[name](known, cell.daysLeft) - total) / total;
}
