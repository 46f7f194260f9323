import { DAYS_IN_A_WEEK } from '../../base/time/calendar.ts';
import { quantile, studentQuantile } from '../../base/statistics.ts';

/** Older weeks tell of another team. */
const MAX_WEEKS = 8;
/** With fewer weeks hardly a weekday was seen twice. */
const LEAST_WEEKS = 2;
/** A trend of fewer weeks is mostly noise, and so is how a forecast from fewer turned out. */
const LEAST_WEEKS_OF_TREND = 5;

/** A trend is followed as far as it stands out from what weeks differ by anyhow: Copas, "Regression, Prediction and Shrinkage" (1983). */
const TREND_PENALTY = 2;
/** How often the real sum is to lie in the range. */
const PROBABILITY = 0.8;
/** The normal quantile of the 90th percentile: between it and the 10th lies that share. */
const NORMAL_REACH = 1.2816;
/** Fewer stretches that do not overlap tell nothing of how far forecasts are off. */
const LEAST_STRETCHES = 1.6;
/** What is gained by stretches that overlap: Lo and MacKinlay, "Stock market prices do not follow random walks" (1988). */
const OVERLAP_GAIN = 1.5;

export interface Outlook {
  expected: number;
  /** Between them in eight of ten cases; missing where forecasts as far ahead cannot be tried often enough. */
  range?: { lower: number; upper: number } | undefined;
}

/**
 * The sum of days to come. The middle is the mean of the last weeks with their trend, by the share of each weekday. The range
 * comes from how forecasts as far ahead, made in the same way at earlier days, turned out: Tashman, "Out-of-sample tests of
 * forecasting accuracy" (2000), rolling origins. Pure.
 *
 * @param amounts one a day, oldest first, without a gap
 * @param skipped how many days after the last of them are not part of the sum
 * @param count how many days are added up
 */
export function sumAhead(amounts: readonly number[], skipped: number, count: number): Outlook | undefined {
  const sums = runningSums(amounts);
  const expected = forecastFrom(sums, amounts.length, skipped, count);
  if (expected === undefined) return undefined;
  const errors: number[] = [];
  const first = LEAST_WEEKS_OF_TREND * DAYS_IN_A_WEEK;
  for (let origin = first; origin + skipped + count <= amounts.length; origin += 1) {
    const forecast = forecastFrom(sums, origin, skipped, count) ?? 0;
    const from = origin + skipped;
    const actual = (sums[from + count] ?? 0) - (sums[from] ?? 0);
    if (forecast > 0) errors.push((actual - forecast) / forecast);
  }
  const stretches = (errors.length - 1) / count + 1;
  if (errors.length === 0 || stretches < LEAST_STRETCHES) return { expected };
  const sizes = errors.map((one) => Math.abs(one));
  const off = quantile(sizes, PROBABILITY);
  // The fewer they were, the further the next one may be off.
  const reach = (expected * off * studentQuantile(NORMAL_REACH, OVERLAP_GAIN * stretches)) / NORMAL_REACH;
  return { expected, range: { lower: Math.max(0, expected - reach), upper: expected + reach } };
}

function runningSums(amounts: readonly number[]): number[] {
  const sums = [0];
  for (const amount of amounts) sums.push((sums.at(-1) ?? 0) + amount);
  return sums;
}

function forecastFrom(sums: readonly number[], end: number, skipped: number, count: number): number | undefined {
  const weeks = Math.min(MAX_WEEKS, Math.floor(end / DAYS_IN_A_WEEK));
  if (weeks < LEAST_WEEKS) return undefined;
  const sumBetween = (from: number, to: number) => (sums[to] ?? 0) - (sums[from] ?? 0);
  const start = end - weeks * DAYS_IN_A_WEEK;
  const total = sumBetween(start, end);
  if (total <= 0) return 0;
  const middle = (weeks - 1) / 2;
  const mean = total / weeks;
  let [spread, together, squares] = [0, 0, 0];
  for (let week = 0; week < weeks; week += 1) {
    const from = start + week * DAYS_IN_A_WEEK;
    const difference = sumBetween(from, from + DAYS_IN_A_WEEK) - mean;
    spread += (week - middle) ** 2;
    together += (week - middle) * difference;
    squares += difference ** 2;
  }
  const slope = (together / spread) * trendShare(together ** 2 / spread, squares, weeks - 2);
  const shares = Array.from({ length: DAYS_IN_A_WEEK }, (_, weekday) => {
    let sum = 0;
    for (let day = start + weekday; day < end; day += DAYS_IN_A_WEEK) sum += sumBetween(day, day + 1);
    return sum / total;
  });
  let sum = 0;
  for (let day = end - start + skipped; day < end - start + skipped + count; day += 1) {
    const week = (day - (DAYS_IN_A_WEEK - 1) / 2) / DAYS_IN_A_WEEK;
    sum += Math.max(0, mean + slope * (week - middle)) * (shares[day % DAYS_IN_A_WEEK] ?? 0);
  }
  return sum;
}

/** @param explained how much of the squares the trend explains */
function trendShare(explained: number, squares: number, freedom: number): number {
  if (freedom < LEAST_WEEKS_OF_TREND - 2 || explained === 0) return 0;
  const noise = Math.max(0, squares - explained) / freedom;
  return Math.max(0, 1 - (TREND_PENALTY * noise) / explained);
}
