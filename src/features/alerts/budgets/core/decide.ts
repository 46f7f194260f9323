import type { Day, Period } from '../../../../core/base/time/calendar.ts';
import type { DailyCreditsRow } from '../../../../core/analytics/day-facts.ts';
import { forecastPeriod, type Forecast } from '../../../../core/figures/insight/forecast.ts';
import { sumOf } from '../../../../core/base/statistics.ts';
import type { Thresholds } from './budget.ts';

export type Basis = keyof Thresholds;

export interface Threshold {
  basis: Basis;
  percent: number;
}

export interface Figures {
  period: Period;
  /** The last published day of the period; undefined if there is none yet. */
  through: Day | undefined;
  spent: number;
  days: readonly DailyCreditsRow[];
  /** Expected by the end of the period; undefined if there are too few days for a forecast or the period is over. */
  expected: number | undefined;
  range: { lower: number; upper: number } | undefined;
  /** The forecast behind `expected`. */
  forecast?: Forecast;
}

export interface AsOf {
  through: Day;
  /** The date of the evaluation: it determines which days are settled, and so which days a forecast is based on. */
  today: Day;
}

/** @param rows published days in ascending order, beginning before the period; days after `asOf.through` are ignored */
export function figuresOf(period: Period, rows: readonly DailyCreditsRow[], { through: until, today }: AsOf): Figures {
  const publishedRows = rows.filter(({ date }) => date <= until);
  const within = publishedRows.filter(({ date }) => date >= period.first && date <= period.last);
  const through = within.at(-1)?.date;
  const spent = sumOf(within, (row) => row.billable_tokens);
  const none = { period, through, spent, days: within, expected: undefined, range: undefined };
  if (through === undefined || through >= period.last || today > period.last) return none;
  const forecast = forecastPeriod(period, within, publishedRows, today);
  if (forecast.kind !== 'known') return none;
  const { expected, range } = forecast.value;
  return { ...none, expected, range, forecast: forecast.value };
}

export interface RecordedThreshold extends Threshold, AsOf {
  credits: number;
  /** Increases by one each time a threshold is crossed again after it was withdrawn. */
  round: number;
  /** `passed`: already reached when the budget was set up, or when its credits changed. */
  /** `withheld`: neither the readers of the budget nor its owner may see it. */
  state: 'told' | 'passed' | 'withdrawn' | 'withheld';
}

interface Amounts {
  spent: number;
  expected?: number | undefined;
}

export function reachedThresholds(thresholds: Thresholds, credits: number, figures: Amounts): Threshold[] {
  const all = BASES.flatMap((basis) => thresholds[basis].map((percent) => ({ basis, percent })));
  return all.filter((threshold) => isReached(threshold, credits, figures));
}

const BASES = ['actual', 'forecast'] as const;

function isReached({ basis, percent }: Threshold, credits: number, { spent, expected }: Amounts): boolean {
  const amount = basis === 'actual' ? spent : expected;
  return amount !== undefined && amount > 0 && amount * 100 >= credits * percent;
}

export interface Decision<Mark> {
  /** Crossed, and not reported before. */
  report: (Threshold & { round: number })[];
  /** Reported, and no longer crossed by the figures that are published now. */
  withdraw: Mark[];
}

/**
 * A reported forecast is withdrawn only if the days behind it were restated: forecasts rise and fall by nature.
 * @param marks those of this period
 * @param figuresAt the figures as of that mark, from the data that is published now
 */
export function decide<Mark extends RecordedThreshold>(
  budget: { credits: number; thresholds: Thresholds },
  figures: Figures,
  marks: readonly Mark[],
  figuresAt: (mark: Mark) => Figures,
): Decision<Mark> {
  const now = reachedThresholds(budget.thresholds, budget.credits, figures);
  const report = now.flatMap((threshold) => {
    const round = roundOf(threshold, budget.credits, marks);
    if (round === undefined) return [];
    // Credits that are spent already are no longer a forecast.
    if (threshold.basis === 'forecast' && figures.spent * 100 >= budget.credits * threshold.percent) return [];
    return [{ ...threshold, round }];
  });
  const withdraw = marks.filter(
    (mark) => mark.state === 'told' && !stillHolds(mark, figures) && !stillHolds(mark, figuresAt(mark)),
  );
  return { report, withdraw };
}

function stillHolds(mark: RecordedThreshold, figures: Figures): boolean {
  // A forecast that was spent in the meantime came true.
  const isSpent = figures.spent * 100 >= mark.credits * mark.percent;
  return isSpent || isReached(mark, mark.credits, figures);
}

/** Returns how often this threshold was withdrawn for these credits; undefined if it already counts as crossed. */
export function roundOf(
  threshold: Threshold,
  credits: number,
  marks: readonly RecordedThreshold[],
): number | undefined {
  const earlier = marks.filter((mark) => mark.credits === credits && isSame(mark, threshold));
  return earlier.some(({ state }) => state !== 'withdrawn') ? undefined : earlier.length;
}

export const isSame = (one: Threshold, other: Threshold) => one.basis === other.basis && one.percent === other.percent;

/** Returns the threshold that a message about several names: used credits before forecasts, then the highest. */
export function highest<Item extends Threshold>(thresholds: readonly Item[]): Item | undefined {
  return thresholds.toSorted(
    (a, b) => Number(b.basis === 'actual') - Number(a.basis === 'actual') || b.percent - a.percent,
  )[0];
}
