import { DAYS_IN_A_WEEK } from '../../base/time/calendar.ts';
import { meanOf, quantile, studentQuantile } from '../../base/statistics.ts';
import { createForecaster, LEAST_WEEKS_OF_TREND, runningSums, sumBetween } from './level-forecast.ts';
import { monthPlaces, surgeFactor, type MonthPlace } from './month-surge.ts';
import { ordinaryDays } from './ordinary-days.ts';

/** With fewer weeks, hardly any weekday occurred twice. */
const LEAST_DAYS = 2 * DAYS_IN_A_WEEK;
/** If fewer exceptions are expected, the sum most likely has none. */
const LEAST_EXCEPTIONS = 0.7;
/** The probability that the real sum is in the range. */
const PROBABILITY = 0.8;
/** The normal quantile of the 90th percentile: this share lies between it and the 10th. */
const NORMAL_REACH = 1.2816;
/** With fewer stretches that do not overlap, the error of forecasts cannot be estimated. */
const LEAST_STRETCHES = 1.6;
/** The gain from overlapping stretches: Lo and MacKinlay, "Stock market prices do not follow random walks" (1988). */
const OVERLAP_GAIN = 1.5;
/** The methods were weighted by the same days that the errors come from, so the errors look this much smaller. */
const HINDSIGHT = 1.05;
/** Past errors lack some causes, such as the next step of the level; their effect grows with the days ahead. */
const UNSEEN = { most: 0.5, days: 25 };
/** The errors of all stretches count as this many month ends. */
const PRIOR_MONTHS = 2;

export interface Outlook {
  expected: number;
  /** The likely range; undefined if there are too few days to try forecasts as far ahead. */
  range?: { lower: number; upper: number } | undefined;
}

/**
 * Forecasts the sum of days to come. Its middle is a mixture of means and trends of the last weeks, by the share of
 * each weekday, with the surge of month ends. Its range comes from forecasts as far ahead, made in the same way on
 * earlier days: Tashman, "Out-of-sample tests of forecasting accuracy" (2000), rolling origins. `npm run bench --
 * --only calibration` measures it.
 * @param amounts one a day, oldest first, without a gap; `first` is the day number of the first one
 * @param skipped how many days after the last amount are not part of the sum; the next `count` days are
 */
export function sumAhead(
  amounts: readonly number[],
  first: number,
  skipped: number,
  count: number,
): Outlook | undefined {
  if (amounts.length < LEAST_DAYS) return undefined;
  const { withoutSteps, withoutExceptions, exceptions, surge } = ordinaryDays(amounts, first);
  const forecaster = createForecaster(withoutExceptions, skipped + count);
  const exceptional = exceptions.rate * count < LEAST_EXCEPTIONS ? 1 : exceptions.factor;
  const places = monthPlaces(first, amounts.length + skipped + count);
  const sumFrom = (origin: number, factorOf: (place: MonthPlace | undefined) => number) => {
    const amountOf = forecaster(origin);
    let sum = 0;
    for (let ahead = skipped; ahead < skipped + count; ahead += 1)
      sum += amountOf(ahead) * factorOf(places[origin + ahead]);
    return sum * exceptional;
  };
  const expected = sumFrom(amounts.length, (place) => surgeFactor(surge, place));
  const sums = runningSums(withoutSteps);
  const errors: PastError[] = [];
  for (let origin = LEAST_WEEKS_OF_TREND * DAYS_IN_A_WEEK; origin + skipped + count <= amounts.length; origin += 1) {
    const forecast = sumFrom(origin, () => 1);
    const actual = sumBetween(sums, origin + skipped, origin + skipped + count);
    const isOfMonthEnd = places[origin + skipped + count - 1]?.isLastDay === true;
    if (forecast > 0) errors.push({ error: (actual - forecast) / forecast, isOfMonthEnd });
  }
  const off = likelyError(errors, count, places.at(-1)?.isLastDay === true);
  if (off === undefined) return { expected };
  const inSurge = sumFrom(amounts.length, (place) => (surgeFactor(surge, place) === 1 ? 0 : surgeFactor(surge, place)));
  const reach = Math.hypot(expected * off, inSurge * (surge?.error ?? 0) * NORMAL_REACH);
  return { expected, range: { lower: Math.max(0, expected - reach), upper: expected + reach } };
}

interface PastError {
  /** Relative to the forecast. */
  error: number;
  /** Whether the forecast days ended with a month. */
  isOfMonthEnd: boolean;
}

/** Returns the largest relative error in `PROBABILITY` of cases; undefined if there were too few trials. */
function likelyError(errors: readonly PastError[], count: number, isOfMonthEnd: boolean): number | undefined {
  const stretches = (errors.length - 1) / count + 1;
  if (errors.length === 0 || stretches < LEAST_STRETCHES) return undefined;
  const sizes = errors.map(({ error }) => Math.abs(error));
  // The fewer the trials, the larger the next error may be.
  const widening = studentQuantile(NORMAL_REACH, OVERLAP_GAIN * stretches) / NORMAL_REACH;
  const unseen = HINDSIGHT + UNSEEN.most * Math.min(1, count / UNSEEN.days);
  const off = quantile(sizes, PROBABILITY) * widening * unseen;
  const monthEnds = isOfMonthEnd ? errors.filter((one) => one.isOfMonthEnd) : [];
  if (monthEnds.length === 0) return off;
  // Ends of months may be harder to forecast than other days.
  const ofMonthEnds = meanOf(monthEnds.map(({ error }) => error ** 2));
  const mixed =
    (PRIOR_MONTHS * (off / NORMAL_REACH) ** 2 + monthEnds.length * ofMonthEnds) / (PRIOR_MONTHS + monthEnds.length);
  return Math.max(off, Math.sqrt(mixed) * NORMAL_REACH);
}
