import { DAYS_IN_A_WEEK } from '../../base/time/calendar.ts';
import { meanOf } from '../../base/statistics.ts';

/** The numbers of recent weeks whose mean is a level; 0: all weeks. */
const LEVELS = [0, 8, 4, 2, 1];

/** The numbers of recent weeks that a trend is fitted to; 0: all weeks. */
const TRENDS = [0, 8, 5];

/** The index of the method to use if there are too few days to compare methods: the trend of the last eight weeks. */
const FIRST_METHOD = LEVELS.length + 1;

/** A trend of fewer weeks is mostly noise. */
export const LEAST_WEEKS_OF_TREND = 5;

/** A trend is reduced by the noise of its weeks: Copas, "Regression, Prediction and Shrinkage" (1983). */
const TREND_PENALTY = 1;

/** The largest growth per week, in logarithms, and the part of it that is left a week later: growth slows down. */
const MAX_GROWTH = 0.2;

const DAMPING = 0.8;

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
type Forecaster = (origin: number) => (ahead: number) => number;

/**
 * Mixes means and trends of different lengths by their recent accuracy: Bates and Granger, "The combination of
 * forecasts" (1969). Unsteady levels favour short means, noise favours long ones, and growth favours trends.
 * @param amounts one a day, oldest first, without a gap; at least two weeks
 * @param days how many days ahead matter
 * @returns the amounts from an origin on; the origin is a day of which only earlier days are known
 */
export function createForecaster(
  amounts: readonly number[],
  shareOf: (place: number) => number,
  days: number,
): Forecaster {
  const sums = runningSums(amounts);
  // Earlier origins are asked for by nobody: methods are compared from these on.
  const isAsked = (origin: number) => origin >= LEAST_WEEKS_OF_TREND * DAYS_IN_A_WEEK || origin === amounts.length;
  const origins = Array.from({ length: amounts.length + 1 }, (_, origin) =>
    isAsked(origin) ? forecastsFrom(sums, origin, shareOf) : undefined,
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

function forecastsFrom(sums: readonly number[], origin: number, shareOf: (place: number) => number): Forecasts {
  const all = Math.floor(origin / DAYS_IN_A_WEEK);
  const weeks = Array.from({ length: all }, (_, week) => {
    const from = origin - (all - week) * DAYS_IN_A_WEEK;
    return sumBetween(sums, from, from + DAYS_IN_A_WEEK);
  });
  return {
    shares: Array.from({ length: DAYS_IN_A_WEEK }, (_, ahead) => shareOf(origin + ahead)),
    levels: [
      ...LEVELS.map((count): WeeklyLevel => {
        const level = meanOf(weeks.slice(-count));
        return () => level;
      }),
      ...TRENDS.map((count) => trendOf(weeks.slice(-count))),
    ],
  };
}

/** Fits growth by the same percentage each week. If a week has no use, there is no such trend: the mean continues. */
function trendOf(weeks: readonly number[]): WeeklyLevel {
  const middle = (weeks.length - 1) / 2;
  const mean = meanOf(weeks);
  const slope = weeks.every((one) => one > 0) ? growthOf(weeks.map((one) => Math.log(one))) : 0;
  if (slope === 0) return () => mean;
  const fitted = meanOf(weeks.map((_, week) => Math.exp(slope * (week - middle))));
  return (ahead) => {
    const undamped = (ahead - (DAYS_IN_A_WEEK - 1) / 2) / DAYS_IN_A_WEEK;
    const weeksAhead = undamped <= 0 ? undamped : (1 - DAMPING ** undamped) / -Math.log(DAMPING);
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

export function runningSums(amounts: readonly number[]): number[] {
  const sums = [0];
  for (const amount of amounts) sums.push((sums.at(-1) ?? 0) + amount);
  return sums;
}

export const sumBetween = (sums: readonly number[], from: number, to: number): number =>
  (sums[to] ?? 0) - (sums[from] ?? 0);
