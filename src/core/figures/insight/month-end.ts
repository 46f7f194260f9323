import { DAYS_IN_A_WEEK } from '../../base/time/calendar.ts';
import { meanOf, NORMAL_REACH, studentQuantile, sumOf } from '../../base/statistics.ts';
import { type Course, likelyCourses, mixtureOf, sumsAhead } from './course.ts';
import { type DayModel, fitDays, type NumberedAmount, type WeekdayClass } from './day-model.ts';
import { type LevelStep, noiseOf } from './levels.ts';
import { findSurge, type MonthSurge, monthPlaces, surgeFactor } from './month-surge.ts';

/** With fewer weeks, hardly any weekday occurred twice. */
const LEAST_DAYS = 2 * DAYS_IN_A_WEEK;

/** With fewer weeks, neither the noise nor the course of the level is known well enough for a range. */
const LEAST_DAYS_OF_RANGE = 5 * DAYS_IN_A_WEEK;

/** In logarithms: without it, equal weeks would have no scale. */
const LEAST_NOISE_OF_WEEK = 0.03;

/** Neighbouring weeks show more noise than their days if those are alike, as in a sprint, but a dozen weeks show it inexactly. */
const PART_OF_WEEKS = 0.5;

/** In standard deviations: eight of ten sums are so close. */
const REACH = 1.15;

/**
 * Times the variance of a course: most organizations drift less than people, but a level that stepped may step again, and
 * growth may end.
 */
const DRIFTING = { steady: 0.6, growing: 1.2, stepping: 2.6 };

/** The weekdays and levels were fitted to the same days, and days of a week are alike, so the days ahead vary more. */
const FITTED = 1.6;

/** A single day of a thousand times the use would widen all ranges. */
const MOST_WORKDAYS = 3;

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
 * Forecasts the sum of days to come: what the likely courses of the last weeks continue, by the share of each weekday, with
 * the surge of month ends. `npm run bench -- --only calibration` measures its range.
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
  const { model, ordinary, shares, squaredVariations, surge } = ordinaryDays(amounts, first);
  const places = monthPlaces(first, amounts.length + skipped + count, model.classes);
  const days = Array.from({ length: count }, (_, index) => {
    const place = amounts.length + skipped + index;
    const weekday = (first + place) % DAYS_IN_A_WEEK;
    const factor = surgeFactor(surge, places[place]);
    return {
      weeks: (skipped + index + 0.5) / DAYS_IN_A_WEEK,
      rate: 1,
      amount: (shares[weekday] ?? 0) * factor,
      squaredVariation: squaredVariations[weekday] ?? 0,
      isOfSurge: factor !== 1,
    };
  });
  const unseen = DRIFTING[kindOf(model)];
  const courses = coursesOf(ordinary, model).map((one) => ({
    ...one,
    varianceAt: (at: number) => unseen * one.varianceAt(at),
  }));
  const { mean, square } = mixtureOf(sumsAhead(courses, days).at(-1) ?? []);
  const most = MOST_OF_BUSIEST_WEEK * busiestWeek(amounts) * Math.ceil(count / DAYS_IN_A_WEEK);
  const expected = Math.min(most, changeOf(model) * mean);
  const uncertainty = uncertaintyOf(model, amounts.length);
  if (uncertainty !== undefined) return { expected, range: uncertainty };
  const deviation = mean > 0 ? Math.sqrt(Math.max(0, square - mean ** 2)) / mean : 0;
  const ofSurge = sumOf(days, ({ amount, isOfSurge }) => (isOfSurge ? amount : 0));
  const partOfSurge = ofSurge > 0 ? ofSurge / sumOf(days, ({ amount }) => amount) : 0;
  const reach = expected * Math.hypot(deviation * REACH, partOfSurge * reachOfSurge(surge));
  return { expected, range: { lower: Math.max(0, expected - reach), upper: Math.min(most, expected + reach) } };
}

function kindOf({ isGrowing, steps }: DayModel): keyof typeof DRIFTING {
  if (isGrowing) return 'growing';
  return steps.length > 0 ? 'stepping' : 'steady';
}

const busiestWeek = (amounts: readonly number[]) =>
  Math.max(...amounts.map((_, place) => allOf(amounts.slice(place, place + DAYS_IN_A_WEEK))));

const allOf = (amounts: readonly number[]) => sumOf(amounts, (amount) => amount);

/** The courses of the weeks; the last one ends at the time 0. */
function coursesOf(amounts: readonly number[], { sigma, classes }: DayModel): Course[] {
  const least = LEAST_PART * DAYS_IN_A_WEEK * meanOf(amounts) + Number.MIN_VALUE;
  const count = Math.floor(amounts.length / DAYS_IN_A_WEEK);
  const weeks = Array.from({ length: count }, (_, week) => {
    const from = amounts.length - (count - week) * DAYS_IN_A_WEEK;
    return {
      at: week - count + 0.5,
      value: Math.log(Math.max(least, allOf(amounts.slice(from, from + DAYS_IN_A_WEEK)))),
    };
  });
  const workdays = classes.filter((one) => one === 'working').length;
  const ofDays = sigma ** 2 / Math.max(1, workdays);
  const ofWeeks = PART_OF_WEEKS * noiseOf(weeks.map(({ value }) => value)) ** 2;
  return likelyCourses(weeks, Math.max(LEAST_NOISE_OF_WEEK ** 2, ofDays, ofWeeks));
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

function uncertaintyOf({ pending, steps, isUnlike }: DayModel, days: number): Uncertainty | undefined {
  const step = pending ?? steps.findLast(({ workdaysSince }) => workdaysSince <= UNCERTAIN_STEP);
  if (step) return { stepOn: step.dayNumber };
  if (isUnlike) return 'unlike';
  return days < LEAST_DAYS_OF_RANGE ? 'few_days' : undefined;
}

interface OrdinaryDays {
  model: DayModel;
  /** Amounts at the level after the last step, without the surge of month ends, and with the usual amount for exceptions. */
  ordinary: number[];
  /** The share of each weekday in its week. */
  shares: number[];
  /** How days of each weekday vary around the usual amount: the square of the coefficient of variation. */
  squaredVariations: number[];
  surge: MonthSurge | undefined;
}

/** Makes past days comparable with the days to come. A level that grows is left as it is: the courses continue it. */
function ordinaryDays(amounts: readonly number[], first: number): OrdinaryDays {
  const days = amounts.map((amount, place) => ({ dayNumber: first + place, amount }));
  const model = fitDays(days);
  const weekdays = Array.from({ length: DAYS_IN_A_WEEK }, (_, weekday) => weekday);
  const { level } = model.levelAhead(first + amounts.length);
  const week = weekdays.map((weekday) => model.amountAt(level, weekday));
  const all = allOf(week);
  const weekdayAt = (place: number) => (first + place) % DAYS_IN_A_WEEK;
  const levels = days.map(({ dayNumber }) => model.levelOn(dayNumber));
  const usual = levels.map((one, place) => model.amountAt(one, weekdayAt(place)));
  const places = monthPlaces(first, amounts.length, model.classes);
  // This part of the mean keeps ratios of days without use finite.
  const offset = LEAST_PART * meanOf(amounts);
  const ratios = amounts.map((amount, place) => {
    const expected = (usual[place] ?? 0) + offset;
    return expected > 0 ? (Math.max(0, amount) + offset) / expected : 1;
  });
  const surge = findSurge(places, ratios, model.sigma);
  const steps = model.isGrowing ? [] : model.steps;
  const atLastLevel = (amount: number, place: number) => {
    const later = steps.filter(({ dayNumber }) => first + place < dayNumber);
    return amount * Math.exp(later.reduce((sum, { size }) => sum + size, 0));
  };
  const sides = placesOfUnknownSide(days, model, steps);
  const withoutSurge = amounts.map((amount, place) => Math.max(0, amount) / surgeFactor(surge, places[place]));
  const working = model.classes.indexOf('working');
  const counted = [...days.keys()].filter((place) => !sides.has(place) && !model.isExcursion(place));
  const variationOf = (asked: WeekdayClass) => {
    const alike = counted.filter((place) => model.classes[weekdayAt(place)] === asked);
    const squares = sumOf(alike, (place) => {
      const most = MOST_WORKDAYS * model.amountAt(levels[place] ?? 0, working);
      return (Math.min(most, withoutSurge[place] ?? 0) - (usual[place] ?? 0)) ** 2;
    });
    const scale = sumOf(alike, (place) => (usual[place] ?? 0) ** 2);
    return (FITTED * squares) / Math.max(1, scale);
  };
  return {
    model,
    surge,
    shares: week.map((one) => (all > 0 ? one / all : 0)),
    squaredVariations: model.classes.map(variationOf),
    ordinary: withoutSurge.map((amount, place) =>
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
