import { sumOf } from '../../base/statistics.ts';

/** How a level may change in a week, before anything is known. Levels are logarithms. */
interface CourseKind {
  /** As a standard deviation. */
  drift: number;
  growth: { mean: number; deviation: number; drift: number };
}

/** A level of people or organizations whose work changes. */
const DRIFT = 0.11;
/** Those who begin to work with agents grow, rarely shrink, and not for ever at the same pace. */
const GROWTH = { mean: 0.03, deviation: 0.07, drift: 0.025 };
const NO_GROWTH = { mean: 0, deviation: 0, drift: 0 };
/** Each is as likely before anything is known. */
const KINDS: readonly CourseKind[] = [
  { drift: 0, growth: NO_GROWTH },
  { drift: DRIFT, growth: NO_GROWTH },
  { drift: 0, growth: GROWTH },
  { drift: DRIFT, growth: GROWTH },
];
/** The part of its growth that is left after a week: Gardner and McKenzie, “Forecasting trends in time series” (1985). */
const GROWTH_LEFT = 0.95;

/** One explanation of the values, with what it leads one to expect. */
export interface Course {
  /** Its probability. */
  weight: number;
  /** The expected level at a time that is not before the last value. */
  levelAt: (at: number) => number;
  varianceAt: (at: number) => number;
}

interface State {
  at: number;
  level: number;
  growth: number;
  /** The variances of the level and of the growth, and their covariance. */
  ofLevel: number;
  ofGrowth: number;
  ofBoth: number;
  /** The logarithm of the likelihood of the values so far. */
  evidence: number;
}

/**
 * Follows a level and its growth from value to value, by each kind of course: Kalman, “A New Approach to Linear Filtering and
 * Prediction Problems” (1960).
 * @param values logarithms, oldest first; times are in weeks
 * @param noise the variance of a value around its level
 */
export function likelyCourses(values: readonly { at: number; value: number }[], noise: number): Course[] {
  const [first, ...later] = values;
  const states = KINDS.map((kind) => {
    const { mean, deviation } = kind.growth;
    const start = {
      at: first?.at ?? 0,
      level: first?.value ?? 0,
      growth: mean,
      ofLevel: noise,
      ofGrowth: deviation ** 2,
    };
    let state: State = { ...start, ofBoth: 0, evidence: 0 };
    for (const { at, value } of later) state = learn(predict(kind, state, at), value, noise);
    return { kind, state };
  });
  const likeliest = Math.max(...states.map(({ state }) => state.evidence));
  const merits = states.map(({ state }) => Math.exp(state.evidence - likeliest));
  const all = sumOf(merits, (one) => one);
  return states.map(({ kind, state }, index) => ({
    weight: (merits[index] ?? 0) / all,
    levelAt: (at) => state.level + state.growth * weeksOfGrowth(at - state.at),
    varianceAt: (at) => predict(kind, state, at).ofLevel,
  }));
}

/** What all courses together expect of the level. */
export function mixedLevel(courses: readonly Course[], at: number): { level: number; variance: number } {
  const level = sumOf(courses, ({ weight, levelAt }) => weight * levelAt(at));
  const variance = sumOf(
    courses,
    ({ weight, levelAt, varianceAt }) => weight * (varianceAt(at) + (levelAt(at) - level) ** 2),
  );
  return { level, variance };
}

/** By how many weeks of its present growth a level grows in a number of weeks. */
const weeksOfGrowth = (weeks: number) => (GROWTH_LEFT ** weeks - 1) / Math.log(GROWTH_LEFT);

function predict({ drift, growth }: CourseKind, before: State, at: number): State {
  const step = at - before.at;
  const [left, grown] = [GROWTH_LEFT ** step, weeksOfGrowth(step)];
  return {
    at,
    level: before.level + before.growth * grown,
    growth: before.growth * left,
    ofLevel: before.ofLevel + grown * (2 * before.ofBoth + grown * before.ofGrowth) + drift ** 2 * step,
    ofGrowth: before.ofGrowth * left ** 2 + growth.drift ** 2 * step,
    ofBoth: (before.ofBoth + grown * before.ofGrowth) * left,
    evidence: before.evidence,
  };
}

function learn(before: State, value: number, noise: number): State {
  const error = value - before.level;
  const variance = before.ofLevel + noise;
  const [gain, gainOfGrowth] = [before.ofLevel / variance, before.ofBoth / variance];
  return {
    at: before.at,
    level: before.level + gain * error,
    growth: before.growth + gainOfGrowth * error,
    ofLevel: before.ofLevel - gain * before.ofLevel,
    ofGrowth: before.ofGrowth - gainOfGrowth * before.ofBoth,
    ofBoth: before.ofBoth - gain * before.ofBoth,
    evidence: before.evidence - (Math.log(variance) + error ** 2 / variance) / 2,
  };
}

/** A day whose amount is not known yet. */
export interface DayAhead {
  weeks: number;
  /** The chance of any use. */
  rate: number;
  /** On a day with use, relative to the level. */
  amount: number;
  /** The square of the coefficient of variation of that amount. */
  squaredVariation: number;
}

/** What one course leads one to expect of a sum, and of its square. */
export interface SumByCourse {
  weight: number;
  mean: number;
  square: number;
}

/**
 * Adds days to come: each is empty or has a lognormal amount, and all of them share the error of their level.
 * @returns the sums through each day, by course
 */
export function sumsAhead(courses: readonly Course[], days: readonly DayAhead[]): SumByCourse[][] {
  const byCourse = courses.map(({ weight, levelAt, varianceAt }) => {
    let [mean, ofDays, weighted] = [0, 0, 0];
    return days.map(({ rate, amount, weeks, squaredVariation }): SumByCourse => {
      const usual = amount * Math.exp(levelAt(weeks));
      mean += rate * usual;
      ofDays += rate * usual ** 2 * (1 + squaredVariation - rate);
      weighted += rate * usual * weeks;
      const middle = mean > 0 ? weighted / mean : 0;
      return { weight, mean, square: ofDays + mean ** 2 * Math.exp(varianceAt(middle)) };
    });
  });
  return days.map((_, index) => byCourse.flatMap((sums) => sums[index] ?? []));
}

/** What all courses together lead one to expect. */
export const mixtureOf = (sums: readonly SumByCourse[]): Pick<SumByCourse, 'mean' | 'square'> => ({
  mean: sumOf(sums, ({ weight, mean }) => weight * mean),
  square: sumOf(sums, ({ weight, square }) => weight * square),
});
