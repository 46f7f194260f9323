import { DAYS_IN_A_WEEK } from '../../base/time/calendar.ts';
import { meanOf, sumOf } from '../../base/statistics.ts';

/** The numbers of recent weeks whose mean is a level; 0: all weeks. */
const LEVELS = [0, 4, 1];

/** Fewer weeks show mostly noise, and more weeks follow the adoption of a tool late. */
const WEEKS_OF_LINE = 4;

/** The index of the method to use if there are too few days to compare methods: the mean of all weeks. */
const FIRST_METHOD = 0;

/** With fewer weeks there is no trend. */
export const LEAST_WEEKS_OF_TREND = 5;

/** The part of a new week in the smoothed level, and of its step in the trend: growth that slows down is followed soon. */
const [LEVEL_PART, TREND_PART] = [0.5, 0.3];

/** Each level, a line and a smoothed trend. */
const METHODS = LEVELS.length + 2;

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
  const squares = Array.from({ length: METHODS }, () => 0);
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
      lineThrough(weeks.slice(-WEEKS_OF_LINE)),
      smoothedTrend(weeks),
    ],
  };
}

const weeksAhead = (ahead: number) => (ahead - (DAYS_IN_A_WEEK - 1) / 2) / DAYS_IN_A_WEEK;

/** By least squares. */
function lineThrough(weeks: readonly number[]): WeeklyLevel {
  const middle = (weeks.length - 1) / 2;
  const mean = meanOf(weeks);
  const spread = sumOf([...weeks.keys()], (week) => (week - middle) ** 2);
  const slope = sumOf([...weeks.entries()], ([week, one]) => (week - middle) * (one - mean)) / spread;
  return (ahead) => Math.max(0, mean + slope * (weeks.length + weeksAhead(ahead) - middle));
}

/** Holt, “Forecasting seasonals and trends by exponentially weighted moving averages” (1957). */
function smoothedTrend([first = 0, ...later]: readonly number[]): WeeklyLevel {
  let [level, trend] = [first, 0];
  for (const week of later) {
    const before = level;
    level = LEVEL_PART * week + (1 - LEVEL_PART) * (level + trend);
    trend = TREND_PART * (level - before) + (1 - TREND_PART) * trend;
  }
  return (ahead) => Math.max(0, level + trend * (1 + weeksAhead(ahead)));
}

export function runningSums(amounts: readonly number[]): number[] {
  const sums = [0];
  for (const amount of amounts) sums.push((sums.at(-1) ?? 0) + amount);
  return sums;
}

export const sumBetween = (sums: readonly number[], from: number, to: number): number =>
  (sums[to] ?? 0) - (sums[from] ?? 0);
