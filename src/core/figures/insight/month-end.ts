import { DAYS_IN_A_WEEK } from '../../base/time/calendar.ts';
import { meanOf, quantile, studentQuantile } from '../../base/statistics.ts';
import { type MonthPlace, monthPlaces, ordinaryDays, surgeFactor } from './unusual.ts';

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

/** The numbers of recent weeks whose mean is a level; 0: all weeks. */
const LEVELS = [0, 8, 4, 2, 1];

/** The numbers of recent weeks that a trend is fitted to; 0: all weeks. */
const TRENDS = [0, 8];

/** The index of the method to use if there are too few days to compare methods: the trend of the last eight weeks. */
const FIRST_METHOD = LEVELS.length + 1;

/** The number of recent weeks that determine the shares of weekdays. */
const WEEKS_OF_SHARES = 8;

/** A trend of fewer weeks is mostly noise. */
const LEAST_WEEKS_OF_TREND = 5;

/** A trend is reduced by the noise of its weeks: Copas, "Regression, Prediction and Shrinkage" (1983). */
const TREND_PENALTY = 1;

/** The largest growth per week, in logarithms, and the number of weeks for which it continues. */
const MAX_GROWTH = 0.1;

const MAX_WEEKS_AHEAD = 5;

/** Methods are compared by forecasts of sums of this many days; recent forecasts count more. */
const MAX_TRIAL_DAYS = 12;

const MIN_TRIAL_DAYS = 5;

const HALF_LIFE_DAYS = 21;

/** A method with half the squared error has eight times the weight, which is close to choosing the best one. */
const SHARPNESS = 3;

/** Methods with relative errors below this are equally good. */
const LEAST_ERROR = 1e-6;

/** Returns the amount of a whole week around a day, by the number of days ahead. */
type WeeklyLevel = (ahead: number) => number;

interface Forecasts {
  /** The shares of the weekdays, beginning with that of the origin; they add up to 1. */
  shares: number[];
  levels: WeeklyLevel[];
}

/** Returns the expected amount of a day, by origin and days ahead. */
export type Forecaster = (origin: number) => (ahead: number) => number;

/**
 * Mixes means and trends of different lengths by their recent accuracy: Bates and Granger, "The combination of
 * forecasts" (1969). Unsteady levels favour short means, noise favours long ones, and growth favours trends.
 * @param amounts one a day, oldest first, without a gap; at least two weeks
 * @param days how many days ahead matter
 * @returns the amounts from an origin on; the origin is a day of which only earlier days are known
 */
function createForecaster(amounts: readonly number[], days: number): Forecaster {
  const sums = runningSums(amounts);
  const origins = Array.from({ length: amounts.length + 1 }, (_, origin) =>
    origin < 2 * DAYS_IN_A_WEEK ? undefined : forecastsFrom(sums, origin),
  );
  const weights = weightsOf(sums, origins, Math.min(MAX_TRIAL_DAYS, Math.max(MIN_TRIAL_DAYS, days)));
  return (origin) => {
    const { shares, levels } = origins[origin] ?? { shares: [], levels: [] };
    return (ahead) => {
      let level = 0;
      for (const [method, weight] of weights.entries()) level += weight * (levels[method]?.(ahead) ?? 0);
      return Math.max(0, level * (shares[ahead % DAYS_IN_A_WEEK] ?? 0));
    };
  };
}

function weightsOf(sums: readonly number[], origins: readonly (Forecasts | undefined)[], trial: number): number[] {
  const squares = Array.from({ length: LEVELS.length + TRENDS.length }, () => 0);
  let total = 0;
  const last = origins.length - 1 - trial;
  for (let origin = LEAST_WEEKS_OF_TREND * DAYS_IN_A_WEEK; origin <= last; origin += 1) {
    const actual = sumBetween(sums, origin, origin + trial);
    const { shares, levels } = origins[origin] ?? { shares: [], levels: [] };
    const weight = 0.5 ** ((last - origin) / HALF_LIFE_DAYS);
    total += weight;
    for (const [method, level] of levels.entries()) {
      let sum = 0;
      for (let ahead = 0; ahead < trial; ahead += 1) sum += level(ahead) * (shares[ahead % DAYS_IN_A_WEEK] ?? 0);
      squares[method] = (squares[method] ?? 0) + weight * ((sum - actual) / Math.max(1, actual)) ** 2;
    }
  }
  if (total === 0) return squares.map((_, method) => Number(method === FIRST_METHOD));
  const merits = squares.map((one) => (one / total + LEAST_ERROR) ** -SHARPNESS);
  const all = merits.reduce((sum, one) => sum + one, 0);
  return merits.map((one) => one / all);
}

function forecastsFrom(sums: readonly number[], origin: number): Forecasts {
  const all = Math.floor(origin / DAYS_IN_A_WEEK);
  const weeks = Array.from({ length: all }, (_, week) => {
    const from = origin - (all - week) * DAYS_IN_A_WEEK;
    return sumBetween(sums, from, from + DAYS_IN_A_WEEK);
  });
  return {
    shares: sharesOf(sums, origin, Math.min(WEEKS_OF_SHARES, all)),
    levels: [
      ...LEVELS.map((count): WeeklyLevel => {
        const level = meanOf(weeks.slice(-count));
        return () => level;
      }),
      ...TRENDS.map((count) => trendOf(weeks.slice(-count))),
    ],
  };
}

function sharesOf(sums: readonly number[], origin: number, weeks: number): number[] {
  const start = origin - weeks * DAYS_IN_A_WEEK;
  const total = sumBetween(sums, start, origin);
  return Array.from({ length: DAYS_IN_A_WEEK }, (_, weekday) => {
    let sum = 0;
    for (let day = start + weekday; day < origin; day += DAYS_IN_A_WEEK) sum += sumBetween(sums, day, day + 1);
    return total > 0 ? sum / total : 0;
  });
}

/** Fits growth by the same percentage each week. If a week has no use, there is no such trend: the mean continues. */
function trendOf(weeks: readonly number[]): WeeklyLevel {
  const middle = (weeks.length - 1) / 2;
  const mean = meanOf(weeks);
  const slope = weeks.every((one) => one > 0) ? growthOf(weeks.map((one) => Math.log(one))) : 0;
  if (slope === 0) return () => mean;
  const fitted = meanOf(weeks.map((_, week) => Math.exp(slope * (week - middle))));
  return (ahead) => {
    const weeksAhead = Math.min(MAX_WEEKS_AHEAD, (ahead - (DAYS_IN_A_WEEK - 1) / 2) / DAYS_IN_A_WEEK);
    return (mean / fitted) * Math.exp(slope * (weeks.length + weeksAhead - middle));
  };
}

function growthOf(logarithms: readonly number[]): number {
  const freedom = logarithms.length - 2;
  if (logarithms.length < LEAST_WEEKS_OF_TREND) return 0;
  const mean = meanOf(logarithms);
  const middle = (logarithms.length - 1) / 2;
  let [spread, together, squares] = [0, 0, 0];
  logarithms.forEach((value, week) => {
    spread += (week - middle) ** 2;
    together += (week - middle) * (value - mean);
    squares += (value - mean) ** 2;
  });
  const explained = together ** 2 / spread;
  if (explained === 0) return 0;
  const noise = Math.max(0, squares - explained) / freedom;
  const slope = (together / spread) * Math.max(0, 1 - (TREND_PENALTY * noise) / explained);
  return Math.max(-MAX_GROWTH, Math.min(MAX_GROWTH, slope));
}

function runningSums(amounts: readonly number[]): number[] {
  const sums = [0];
  for (const amount of amounts) sums.push((sums.at(-1) ?? 0) + amount);
  return sums;
}

const sumBetween = (sums: readonly number[], from: number, to: number): number => (sums[to] ?? 0) - (sums[from] ?? 0);
