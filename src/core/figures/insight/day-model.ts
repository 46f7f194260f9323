import { clip, NORMAL_DEVIATION, median, meanOf, quantile } from '../../base/statistics.ts';
import { DAYS_IN_A_WEEK } from '../../base/time/calendar.ts';
import { likelyCourses, mixedLevel } from './course.ts';
import { findLevels, LEAST_STEP_DAYS, type Levels, type LevelStep, type PendingStep, noiseOf } from './levels.ts';

/** A published day. Days are numbered from 1970-01-01, so the remainder by seven is the weekday. */
export interface NumberedAmount {
  dayNumber: number;
  amount: number;
}

/** How much people work on a weekday, learned from the days. */
export type WeekdayClass = 'working' | 'between' | 'off';

/** What days lead one to expect of others. Amounts are logarithms; a weekday is the remainder of a day number. */
export interface DayModel {
  classes: readonly WeekdayClass[];
  /** Returns the usual amount of a weekday at a level, in credits. */
  amountAt: (level: number, weekday: number) => number;
  levelOn: (dayNumber: number) => number;
  /** The level of the last days, continued, and its variance. */
  levelAhead: (dayNumber: number) => { level: number; variance: number };
  /** The lasting steps that the level made, if it doesn’t grow steadily, oldest first. */
  steps: readonly LevelStep[];
  /** The last days left the level, but too few to tell a step from a holiday. */
  pending: PendingStep | undefined;
  /** Whether the level changes steadily, or its last two steps have the same direction, as while a tool is adopted. */
  isGrowing: boolean;
  /** Whether the last week differs from all others. */
  isUnlike: boolean;
  /** Whether the day at a place belongs to a holiday or a hack week. */
  isExcursion: (place: number) => boolean;
  /** The same, and single days. */
  isException: (place: number) => boolean;
  /** By how much the ordinary workdays differ from their level. */
  errors: readonly number[];
  /** The standard deviation of an ordinary workday. */
  sigma: number;
}

/** This part of a workday is added before logarithms are taken, so that a day without use has one. */
const OFFSET = 0.03;
/** At most two workdays of seven are off in most weeks, so this quantile of all days is a workday. */
const WORKDAY_QUANTILE = 0.7;
/** A new week is followed within half of these weeks, and two weeks of holidays don’t change it. */
const WEEKS_OF_CLASSES = 6;
/** A weekday that changes is followed within half of these weeks. Of all weeks, those that are like them count. */
const WEEKS_OF_EFFECTS = 9;
/** In standard deviations: the influence of a day on how its weekday differs. A mean of such days is nearly as exact as of all. */
const MOST_OF_DAY = 2;
/** In shares of the third busiest weekday, which is a workday in each week. */
const [LEAST_WORKING, MOST_OFF] = [0.5, 0.25];
/** Workdays differ from each other by about a tenth: with noisy or few days, a weekday is like the others. */
const WEEKDAY_SPREAD = 0.1;
/** Without it, equal days would have no scale. */
const LEAST_SIGMA = 0.02;
/** Ten holidays in eight weeks are a quarter of the workdays; with more empty ones, use comes in bursts. */
const MOST_EMPTY = 0.35;
/** In standard deviations: a workday farther from its level is an exception, such as a holiday. */
const MAX_DEVIATIONS = 4;
/** In workdays: a shorter run of exceptions is single days, such as an outage, of which there will be others. */
const LEAST_RUN = 3;
/** In standard errors: about one week in a hundred is so far from the level by chance. */
const UNLIKE = 2.5;

/** Learns the week, the level, its steps and its noise. @param days in ascending order */
export function fitDays(days: readonly NumberedAmount[]): DayModel {
  const amounts = days.map(({ amount }) => Math.max(0, amount));
  const numbers = days.map(({ dayNumber }) => dayNumber);
  const weekdayAt = (place: number) => (numbers[place] ?? 0) % DAYS_IN_A_WEEK;
  const classes = classesOf(numbers, amounts);
  const offset = Math.max(1, OFFSET * (amounts.length === 0 ? 0 : quantile(amounts, WORKDAY_QUANTILE)));
  const logarithms = amounts.map((amount) => Math.log(amount + offset));
  const workdays = [...days.keys()].filter((place) => classes[weekdayAt(place)] === 'working');
  const effects = effectsOf(numbers, logarithms, workdays);
  const times = workdays.map((place) => numbers[place] ?? 0);
  const values = workdays.map((place) => (logarithms[place] ?? 0) - (effects[weekdayAt(place)] ?? 0));
  const isIntermittent = workdays.filter((place) => amounts[place] === 0).length > MOST_EMPTY * workdays.length;
  const {
    slope,
    levels,
    isExcursion: isOfExcursion,
    steps,
    pending,
    last,
    flattened,
  } = isIntermittent ? oneLevel(values) : findLevels(values, times, Math.max(LEAST_SIGMA, noiseOf(values)));
  const end = times.at(-1) ?? 0;
  const deviations = flattened.map((value, at) => value - (levels[at] ?? 0));
  const calm = deviations.filter((_, at) => !isOfExcursion[at]);
  const sigma = Math.max(LEAST_SIGMA, isIntermittent ? deviationOf(calm) : robustDeviationOf(calm));
  const limit = isIntermittent ? Number.POSITIVE_INFINITY : MAX_DEVIATIONS * sigma;
  const isOfRun = inRuns(deviations.map((one) => (Math.abs(one) > limit ? Math.sign(one) : 0)));
  const isExcursion = isOfRun.map((isLong, at) => isLong || isOfExcursion[at] === true);
  const ordinary = [...deviations.keys()].filter((at) => isExcursion[at] !== true);
  const grows = isGrowing(slope, steps);
  const courses = likelyCourses(
    ordinary.map((at) => ({
      at: ((times[at] ?? 0) - end) / DAYS_IN_A_WEEK,
      // One day has a bounded influence. Steps of a level that grows are a part of its course.
      value: clip(deviations[at] ?? 0, limit / 2) + (grows ? (levels[at] ?? 0) - last : 0),
    })),
    sigma ** 2,
  );
  const excursions = new Set(workdays.filter((_, at) => isExcursion[at] === true));
  const exceptions = new Set(workdays.filter((_, at) => Math.abs(deviations[at] ?? 0) > limit));
  const week = deviations.slice(-LEAST_STEP_DAYS).map((one) => clip(one, limit));
  const levelOn = (dayNumber: number) => {
    const next = times.findIndex((time) => time > dayNumber);
    return (levels[Math.max(0, next === -1 ? levels.length - 1 : next - 1)] ?? 0) + slope * (dayNumber - end);
  };
  const creditsOf = (logarithm: number) => Math.max(0, Math.exp(logarithm) - offset);
  const offShares = offSharesOf(days, classes, (dayNumber) => creditsOf(levelOn(dayNumber)));
  return {
    classes,
    amountAt: (level, weekday) =>
      classes[weekday] === 'working'
        ? creditsOf(level + (effects[weekday] ?? 0))
        : creditsOf(level) * (offShares[weekday] ?? 0),
    levelOn,
    levelAhead: (dayNumber) => {
      const { level, variance } = mixedLevel(courses, (dayNumber - end) / DAYS_IN_A_WEEK);
      return { level: last + level + slope * (dayNumber - end), variance };
    },
    steps,
    pending,
    isGrowing: grows,
    isUnlike: week.length > 0 && Math.abs(meanOf(week)) * Math.sqrt(week.length) > UNLIKE * sigma,
    isExcursion: (place) => excursions.has(place),
    isException: (place) => excursions.has(place) || exceptions.has(place),
    errors: ordinary.map((at) => deviations[at] ?? 0).filter((error) => Math.abs(error) <= limit),
    sigma,
  };
}

function isGrowing(slope: number, steps: readonly LevelStep[]): boolean {
  const [before, last] = steps.slice(-2).map(({ size }) => Math.sign(size));
  return slope !== 0 || (last !== undefined && before === last);
}

/** Bursts between empty days are no steps, and the median of such days says nothing about their noise. */
function oneLevel(values: readonly number[]): Levels {
  const level = values.length === 0 ? 0 : meanOf(values);
  return {
    slope: 0,
    levels: values.map(() => level),
    isExcursion: values.map(() => false),
    steps: [],
    pending: undefined,
    last: level,
    flattened: values,
  };
}

/** Whether a place belongs to a run of the same sign that is long enough for a holiday or a hack week. */
function inRuns(signs: readonly number[]): boolean[] {
  const isOfRun = signs.map(() => false);
  let from = 0;
  for (let to = 1; to <= signs.length; to += 1) {
    if (signs[to] === signs[from]) continue;
    if (signs[from] !== 0 && to - from >= LEAST_RUN) isOfRun.fill(true, from, to);
    from = to;
  }
  return isOfRun;
}

const deviationOf = (deviations: readonly number[]) =>
  deviations.length === 0 ? 0 : Math.sqrt(meanOf(deviations.map((one) => one ** 2)));

const robustDeviationOf = (deviations: readonly number[]) =>
  deviations.length === 0 ? 0 : NORMAL_DEVIATION * median(deviations.map((one) => Math.abs(one)));

/** A weekday is compared with the week around each of its last days, so that growth doesn’t change its class. */
function classesOf(numbers: readonly number[], amounts: readonly number[]): WeekdayClass[] {
  const shares = Array.from({ length: DAYS_IN_A_WEEK }, (): number[] => []);
  for (let place = numbers.length - 1; place >= 0; place -= 1) {
    const own = shares[(numbers[place] ?? 0) % DAYS_IN_A_WEEK];
    if (!own || own.length >= WEEKS_OF_CLASSES) continue;
    const from = Math.max(0, Math.min(place - 3, numbers.length - DAYS_IN_A_WEEK));
    const week = meanOf(amounts.slice(from, from + DAYS_IN_A_WEEK));
    own.push(week > 0 ? (amounts[place] ?? 0) / week : 0);
  }
  const levels = shares.map((own) => (own.length === 0 ? 0 : median(own)));
  const reference = levels.toSorted((a, b) => b - a)[2] ?? 0;
  return levels.map((level) => {
    if (level >= LEAST_WORKING * reference) return 'working';
    return level <= MOST_OFF * reference ? 'off' : 'between';
  });
}

/** Returns by how much each weekday differs from the other workdays around it, in logarithms. */
function effectsOf(numbers: readonly number[], logarithms: readonly number[], workdays: readonly number[]): number[] {
  const differences = Array.from({ length: DAYS_IN_A_WEEK }, (): number[] => []);
  for (const [at, place] of workdays.entries()) {
    const near = workdays
      .slice(Math.max(0, at - 3), at + 4)
      .filter((other) => Math.abs((numbers[other] ?? 0) - (numbers[place] ?? 0)) <= 3);
    const level = median(near.map((other) => logarithms[other] ?? 0));
    differences[(numbers[place] ?? 0) % DAYS_IN_A_WEEK]?.push((logarithms[place] ?? 0) - level);
  }
  const middles = differences.map((own) => (own.length === 0 ? 0 : median(own.slice(-WEEKS_OF_EFFECTS))));
  const sigma = robustDeviationOf(
    differences.flatMap((own, weekday) => own.map((one) => one - (middles[weekday] ?? 0))),
  );
  const means = differences.map((own, weekday) => {
    const middle = middles[weekday] ?? 0;
    const near = own.map((one) => one - middle).filter((one) => Math.abs(one) <= MAX_DEVIATIONS * sigma);
    return middle + (near.length === 0 ? 0 : meanOf(near.map((one) => clip(one, MOST_OF_DAY * sigma))));
  });
  const working = means.filter((_, weekday) => (differences[weekday]?.length ?? 0) > 0);
  const center = working.length === 0 ? 0 : median(working);
  return means.map((mean, weekday) => shrink(mean - center, differences[weekday]?.length ?? 0, sigma));
}

/** @param count the days that show the effect */
function shrink(effect: number, count: number, sigma: number): number {
  if (count === 0 || effect === 0) return 0;
  // A weekday that stands out, such as half a day, keeps its effect: James and Stein (1961).
  const standsOut = 1 - sigma ** 2 / (count * effect ** 2);
  return effect * Math.max(count / (count + (sigma / WEEKDAY_SPREAD) ** 2), standsOut);
}

/** Days on which few people work are uneven, so each counts at most thrice the mean of its class. */
const MAX_OFF_SHARE = 3;
/** Such a day counts at most as a workday: a single one of a thousand times its use would determine the mean. */
export const MOST_OF_WORKDAY = 1;

function offSharesOf(
  days: readonly NumberedAmount[],
  classes: readonly WeekdayClass[],
  levelOn: (dayNumber: number) => number,
): number[] {
  const shares = days
    .map(({ dayNumber, amount }) => ({
      weekday: dayNumber % DAYS_IN_A_WEEK,
      share: Math.min(MOST_OF_WORKDAY, Math.max(0, amount) / Math.max(1, levelOn(dayNumber))),
    }))
    .filter(({ weekday }) => classes[weekday] !== 'working');
  return classes.map((asked, weekday) => {
    const alike = shares.filter((one) => classes[one.weekday] === asked).map(({ share }) => share);
    const own = shares.filter((one) => one.weekday === weekday).map(({ share }) => share);
    const limit = alike.length === 0 ? 0 : MAX_OFF_SHARE * meanOf(alike);
    return own.length === 0 ? 0 : meanOf(own.map((share) => Math.min(limit, share)));
  });
}
