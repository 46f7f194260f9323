import { DAYS_IN_A_WEEK } from '../../base/time/calendar.ts';
import { meanOf, quantile, studentQuantile, sumOf } from '../../base/statistics.ts';
import { likelyCourses } from './course.ts';
import { type DayModel, fitDays, type NumberedAmount } from './day-model.ts';
import type { LevelStep } from './levels.ts';
import { findSurge, type MonthPlace, type MonthSurge, monthPlaces, surgeFactor } from './month-surge.ts';

/** With fewer weeks, hardly any weekday occurred twice. */
const LEAST_DAYS = 2 * DAYS_IN_A_WEEK;

/** The probability that the real sum is in the range. */
const PROBABILITY = 0.8;

/** The normal quantile of the 90th percentile: this share lies between it and the 10th. */
const NORMAL_REACH = 1.2816;

/** With fewer weeks there is no trend to try. */
const LEAST_WEEKS = 5;

/** In logarithms: without it, equal weeks would have no scale. */
const LEAST_NOISE_OF_WEEK = 0.03;

/** With fewer stretches that do not overlap, the error of forecasts cannot be estimated. */
const LEAST_STRETCHES = 1.6;

/** The gain from overlapping stretches: Lo and MacKinlay, "Stock market prices do not follow random walks" (1988). */
const OVERLAP_GAIN = 1.5;

/** Past errors lack some causes, such as the next step of a level that stepped before. */
const UNSEEN = { steady: 1.03, stepping: 1.2 };

/** The errors of all stretches count as this many month ends. */
const PRIOR_MONTHS = 2;

/** In workdays: for two weeks after a step, nobody knows whether it lasts. */
const UNCERTAIN_STEP = 10;

/** Nothing that grows or steps doubles soon what was never reached; some days at a thousand times the level seem to. */
const MOST_OF_BUSIEST_WEEK = 2;

/** A change of the last workdays lasts as probably as not after this many. */
const HALF_CERTAIN = 2;

/** Why there is no likely range. */
export type Uncertainty = 'few_days' | 'unlike' | { stepOn: number };

export interface Outlook {
  expected: number;
  range: { lower: number; upper: number } | Uncertainty;
}

/**
 * Forecasts the sum of days to come. Its middle is what the likely courses of the last weeks continue, by the share of each
 * weekday, with the surge of month ends. Its range comes from forecasts as far ahead, made in the same way on
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
  const { model, withoutExcursions, withoutExceptions, shareOf, surge } = ordinaryDays(amounts, first);
  const noise = noiseOfWeek(model);
  const places = monthPlaces(first, amounts.length + skipped + count, model.classes);
  const sumFrom = (origin: number, factorOf: (place: MonthPlace | undefined) => number) => {
    const weekAt = followWeeks(withoutExceptions.slice(0, origin), noise);
    let sum = 0;
    for (let ahead = skipped; ahead < skipped + count; ahead += 1)
      sum += weekAt((ahead + 0.5) / DAYS_IN_A_WEEK) * shareOf(origin + ahead) * factorOf(places[origin + ahead]);
    return sum;
  };
  const most = MOST_OF_BUSIEST_WEEK * busiestWeek(amounts) * Math.ceil(count / DAYS_IN_A_WEEK);
  const expected = Math.min(most, changeOf(model) * sumFrom(amounts.length, (place) => surgeFactor(surge, place)));
  const uncertainty = uncertaintyOf(model);
  if (uncertainty !== undefined) return { expected, range: uncertainty };
  const errors: PastError[] = [];
  for (let origin = LEAST_WEEKS * DAYS_IN_A_WEEK; origin + skipped + count <= amounts.length; origin += 1) {
    const forecast = sumFrom(origin, () => 1);
    const actual = allOf(withoutExcursions.slice(origin + skipped, origin + skipped + count));
    const isOfMonthEnd = places[origin + skipped + count - 1]?.isLastDay === true;
    if (forecast > 0) errors.push({ error: (actual - forecast) / forecast, isOfMonthEnd });
  }
  const off = likelyError(errors, count, places.at(-1)?.isLastDay === true);
  if (off === undefined) return { expected, range: 'few_days' };
  const unseen = model.steps.length > 0 ? UNSEEN.stepping : UNSEEN.steady;
  const inSurge = sumFrom(amounts.length, (place) => (surgeFactor(surge, place) === 1 ? 0 : surgeFactor(surge, place)));
  const reach = Math.hypot(expected * off * unseen, inSurge * reachOfSurge(surge));
  return { expected, range: { lower: Math.max(0, expected - reach), upper: Math.min(most, expected + reach) } };
}

const busiestWeek = (amounts: readonly number[]) =>
  Math.max(...amounts.map((_, place) => allOf(amounts.slice(place, place + DAYS_IN_A_WEEK))));

const allOf = (amounts: readonly number[]) => sumOf(amounts, (amount) => amount);

/** As a variance of logarithms: what chance makes of the sum of a week. */
function noiseOfWeek({ sigma, classes }: DayModel): number {
  const workdays = classes.filter((one) => one === 'working').length;
  return Math.max(LEAST_NOISE_OF_WEEK, sigma / Math.sqrt(Math.max(1, workdays))) ** 2;
}

/** Returns the expected amount of a week, by its middle in weeks after the last of the days. */
function followWeeks(amounts: readonly number[], noise: number): (at: number) => number {
  const count = Math.floor(amounts.length / DAYS_IN_A_WEEK);
  const offset = LEAST_PART * DAYS_IN_A_WEEK * meanOf(amounts) + Number.MIN_VALUE;
  const courses = likelyCourses(
    Array.from({ length: count }, (_, week) => {
      const from = amounts.length - (count - week) * DAYS_IN_A_WEEK;
      const sum = allOf(amounts.slice(from, from + DAYS_IN_A_WEEK));
      return { at: week - count + 0.5, value: Math.log(sum + offset) };
    }),
    noise,
  );
  return (at) => Math.max(0, sumOf(courses, ({ weight, levelAt }) => weight * Math.exp(levelAt(at))) - offset);
}

/** Two or three months tell little of how much a surge varies. */
const reachOfSurge = (surge: MonthSurge | undefined): number =>
  surge ? surge.error * studentQuantile(NORMAL_REACH, surge.months - 1) : 0;

/** The factor by which the last days changed the level, as far as it will last. A shutdown ends. */
function changeOf({ pending }: DayModel): number {
  if (!pending || pending.isShutdown) return 1;
  const persistence = pending.workdaysSince / (pending.workdaysSince + HALF_CERTAIN);
  return 1 + persistence * (Math.exp(pending.size) - 1);
}

function uncertaintyOf({ pending, steps, isUnlike }: DayModel): Uncertainty | undefined {
  const step = pending ?? steps.findLast(({ workdaysSince }) => workdaysSince <= UNCERTAIN_STEP);
  if (step) return { stepOn: step.dayNumber };
  return isUnlike ? 'unlike' : undefined;
}

interface OrdinaryDays {
  model: DayModel;
  /**
   * Amounts at the level after the last step, without the surge of month ends, and with the usual amount in place of
   * holidays and hack weeks: one of them would widen the range for two months.
   */
  withoutExcursions: number[];
  /** The same, with the usual amount in place of single exceptions, too. */
  withoutExceptions: number[];
  /** The share of a day in its week, by its place among the amounts and after them. */
  shareOf: (place: number) => number;
  surge: MonthSurge | undefined;
}

/** Makes past days comparable with the days to come. A level that grows is left as it is: the trends continue it. */
function ordinaryDays(amounts: readonly number[], first: number): OrdinaryDays {
  const days = amounts.map((amount, place) => ({ dayNumber: first + place, amount }));
  const model = fitDays(days);
  const week = Array.from({ length: DAYS_IN_A_WEEK }, (_, weekday) =>
    model.amountAt(model.levelAhead(first + amounts.length), weekday),
  );
  const all = week.reduce((sum, one) => sum + one, 0);
  const usual = days.map(({ dayNumber }) => model.amountAt(model.levelOn(dayNumber), dayNumber % DAYS_IN_A_WEEK));
  const places = monthPlaces(first, amounts.length, model.classes);
  // This part of the mean keeps ratios of days without use finite.
  const offset = LEAST_PART * meanOf(amounts);
  const ratios = amounts.map((amount, place) =>
    all > 0 ? (Math.max(0, amount) + offset) / ((usual[place] ?? 0) + offset) : 1,
  );
  const surge = findSurge(places, ratios, model.sigma);
  const steps = model.isGrowing ? [] : model.steps;
  const atLastLevel = (amount: number, place: number) => {
    const later = steps.filter(({ dayNumber }) => first + place < dayNumber);
    return amount * Math.exp(later.reduce((sum, { size }) => sum + size, 0));
  };
  const sides = placesOfUnknownSide(days, model, steps);
  const withoutSurge = amounts.map((amount, place) => Math.max(0, amount) / surgeFactor(surge, places[place]));
  return {
    model,
    surge,
    shareOf: (place) => (all > 0 ? (week[(first + place) % DAYS_IN_A_WEEK] ?? 0) / all : 0),
    withoutExcursions: withoutSurge.map((amount, place) =>
      atLastLevel(sides.has(place) || model.isExcursion(place) ? (usual[place] ?? 0) : amount, place),
    ),
    withoutExceptions: withoutSurge.map((amount, place) =>
      atLastLevel(sides.has(place) || model.isException(place) ? (usual[place] ?? 0) : amount, place),
    ),
  };
}

/**
 * Days off between the last workday before a step and its first one may be at either level, and so may all days of a step that
 * may not last.
 */
function placesOfUnknownSide(
  days: readonly NumberedAmount[],
  { classes, pending }: DayModel,
  steps: readonly LevelStep[],
): ReadonlySet<number> {
  const isWorkday = ({ dayNumber }: NumberedAmount) => classes[dayNumber % DAYS_IN_A_WEEK] === 'working';
  const places = new Set<number>();
  for (const step of pending ? [...steps, pending] : steps) {
    const from = days.findLastIndex((day) => day.dayNumber < step.dayNumber && isWorkday(day)) + 1;
    const to = step === pending ? days.length : days.findIndex(({ dayNumber }) => dayNumber === step.dayNumber);
    for (let place = from; place < to; place += 1) places.add(place);
  }
  return places;
}

const LEAST_PART = 0.01;

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
  const off = quantile(sizes, PROBABILITY) * widening;
  const monthEnds = isOfMonthEnd ? errors.filter((one) => one.isOfMonthEnd) : [];
  if (monthEnds.length === 0) return off;
  // Ends of months may be harder to forecast than other days.
  const ofMonthEnds = meanOf(monthEnds.map(({ error }) => error ** 2));
  const mixed =
    (PRIOR_MONTHS * (off / NORMAL_REACH) ** 2 + monthEnds.length * ofMonthEnds) / (PRIOR_MONTHS + monthEnds.length);
  return Math.max(off, Math.sqrt(mixed) * NORMAL_REACH);
}
