import { studentQuantile } from '../../base/statistics.ts';
import { DAYS_IN_A_WEEK } from '../../base/time/calendar.ts';

/** With fewer days, hardly any weekday occurred twice. */
export const LEAST_DAYS = 14;
/** The normal quantile of the 90th percentile: 80 % lie between it and the 10th. */
const NORMAL_REACH = 1.2816;
/** A week counts half as much as the one two weeks later: people change, and noise needs weeks to average out. */
const HALF_LIFE_WEEKS = 2;
/** A run of days without use that is less likely than this is no pace. */
const AWAY = 0.01;
/** A run at the end: below the first the person has stopped, below the second nobody knows. */
const [STOPPED, PAUSED] = [0.003, 0.25];
/** By how much people grow or shrink in a week, as a standard deviation, and for how long that continues. */
const GROWTH = 0.1;
const MAX_WEEKS_OF_GROWTH = 5;

export interface Pace {
  /** `paused`: the last days without use are unusual, `stopped`: so unusual that they are the pace. */
  kind: 'regular' | 'paused' | 'stopped';
  /** The days without use at the end. */
  idleDays: number;
  /** The days that count: without absences, and from the first use on. */
  countedDays: number;
  /** The usual amount of each weekday, beginning with the day after the last known one. */
  weekdays: number[];
  amountAhead: (ahead: number) => number;
  /** Returns the likely error of a sum of days to come, if that sum is expected to be `rest`. */
  reachOf: (rest: number) => number;
  uncertaintyOf: (rest: number) => number;
  /** Returns the chance that a sum of days to come reaches an amount. */
  chanceOf: (amount: number, rest: number) => number;
}

/** The pace of a person. Days before the first use are ignored, because the person may not have had an account. */
export function paceOf(all: readonly number[]): Pace | undefined {
  const first = all.findIndex((amount) => amount > 0);
  const days = first === -1 ? [] : all.slice(first);
  const idleDays = days.length - 1 - days.findLastIndex((amount) => amount > 0);
  const isAway = findAbsences(days);
  const countedDays = isAway.filter((away) => !away).length;
  if (first === -1 && all.length >= LEAST_DAYS) return { ...STOPPED_PACE, idleDays: all.length };
  if (days.length < LEAST_DAYS) return undefined;
  const chance = chanceOfPause(days, isAway, days.length - idleDays, days.length);
  if (chance < STOPPED) return { ...STOPPED_PACE, idleDays, countedDays };
  if (countedDays < LEAST_DAYS) return undefined;
  const shares = sharesOf(days, isAway);
  const shareAt = (at: number) => shares[at % DAYS_IN_A_WEEK] ?? 0;
  const level = fitLevel(weeklyLevels(days, isAway, shareAt));
  const deviationOf = (rest: number) => {
    if (level.now <= 0) return 0;
    const weeks = rest / level.now;
    const ofWeeks = Math.sqrt(level.variance * (weeks + weeks ** 2 / level.count));
    return Math.hypot(ofWeeks, level.growthError * weeks * (level.age + Math.min(MAX_WEEKS_OF_GROWTH, weeks) / 2));
  };
  return {
    kind: chance < PAUSED ? 'paused' : 'regular',
    idleDays,
    countedDays,
    weekdays: Array.from({ length: DAYS_IN_A_WEEK }, (_, ahead) => level.now * shareAt(days.length + ahead)),
    amountAhead: (ahead) => {
      const weeks = Math.min(MAX_WEEKS_OF_GROWTH, (ahead + 0.5) / DAYS_IN_A_WEEK);
      return Math.max(0, (level.now + level.growth * weeks) * shareAt(days.length + ahead));
    },
    reachOf: (rest) => studentQuantile(NORMAL_REACH, Math.max(2, level.count - 1)) * deviationOf(rest),
    uncertaintyOf: (rest) => (rest > 0 ? deviationOf(rest) / rest : 0),
    chanceOf: (amount, rest) => {
      const deviation = deviationOf(rest);
      if (deviation === 0 || rest <= 0 || amount <= 0) return Number(rest >= amount);
      const { middle, spread } = lognormal(rest, deviation);
      return 1 / (1 + Math.exp((LOGISTIC * (Math.log(amount) - middle)) / spread));
    },
  };
}

/** With it, the logistic curve is close to the normal distribution. */
const LOGISTIC = 1.7;

/** The credits of each weekday as a share of the week, from the days that count. */
function sharesOf(days: readonly number[], isAway: readonly boolean[]): number[] {
  const [sums, counts] = [zeros(), zeros()];
  days.forEach((amount, at) => {
    if (isAway[at] === true) return;
    sums[at % DAYS_IN_A_WEEK] = (sums[at % DAYS_IN_A_WEEK] ?? 0) + amount;
    counts[at % DAYS_IN_A_WEEK] = (counts[at % DAYS_IN_A_WEEK] ?? 0) + 1;
  });
  const means = sums.map((sum, weekday) => sum / Math.max(1, counts[weekday] ?? 0));
  const week = means.reduce((sum, one) => sum + one, 0);
  return means.map((one) => (week > 0 ? one / week : 0));
}

function lognormal(mean: number, deviation: number) {
  const variance = Math.log(1 + (deviation / mean) ** 2);
  return { middle: Math.log(mean) - variance / 2, spread: Math.sqrt(variance) };
}

const zeros = () => Array.from({ length: DAYS_IN_A_WEEK }, () => 0);

const STOPPED_PACE: Pace = {
  kind: 'stopped',
  idleDays: 0,
  countedDays: 0,
  weekdays: zeros(),
  amountAhead: () => 0,
  reachOf: () => 0,
  uncertaintyOf: () => 0,
  chanceOf: (amount) => Number(amount <= 0),
};

/** The share of days with use, of each weekday, over the days that count; half a day is added to both kinds. */
function activityRates(days: readonly number[], isAway: readonly boolean[]): number[] {
  const [active, counts] = [zeros(), zeros()];
  days.forEach((amount, at) => {
    if (isAway[at] === true) return;
    const weekday = at % DAYS_IN_A_WEEK;
    counts[weekday] = (counts[weekday] ?? 0) + 1;
    if (amount > 0) active[weekday] = (active[weekday] ?? 0) + 1;
  });
  return active.map((count, weekday) => (count + 0.5) / ((counts[weekday] ?? 0) + 1));
}

/** The chance that a person with these habits has no use from one day to another. */
function chanceOfPause(days: readonly number[], isAway: readonly boolean[], from: number, to: number): number {
  const others = isAway.map((one, at) => one || (at >= from && at < to));
  const rates = activityRates(days, others);
  let chance = 1;
  for (let at = from; at < to; at += 1) chance *= 1 - (rates[at % DAYS_IN_A_WEEK] ?? 0);
  return chance;
}

/** Marks runs of days without use that are too unlikely, the longest first. */
function findAbsences(days: readonly number[]): boolean[] {
  const isAway = days.map(() => false);
  const runs: { from: number; to: number }[] = [];
  let from = 0;
  days.forEach((amount, at) => {
    if (amount <= 0) return;
    if (at > from) runs.push({ from, to: at });
    from = at + 1;
  });
  if (from < days.length) runs.push({ from, to: days.length });
  for (const run of runs.toSorted((a, b) => b.to - b.from - (a.to - a.from)))
    if (chanceOfPause(days, isAway, run.from, run.to) < AWAY) isAway.fill(true, run.from, run.to);
  return isAway;
}

/** Less of a week says little about its level. */
const LEAST_PART = 0.3;

interface WeekLevel {
  /** Weeks before the end. */
  age: number;
  level: number;
  /** The part of the week that counts. */
  part: number;
}

/** The credits of a whole week at the level of each week, from the days of it that count. */
function weeklyLevels(
  days: readonly number[],
  isAway: readonly boolean[],
  shareAt: (at: number) => number,
): WeekLevel[] {
  const weeks: WeekLevel[] = [];
  for (let end = days.length, age = 0; end > 0; end -= DAYS_IN_A_WEEK, age += 1) {
    let [sum, part] = [0, 0];
    for (let at = Math.max(0, end - DAYS_IN_A_WEEK); at < end; at += 1) {
      if (isAway[at] === true) continue;
      sum += days[at] ?? 0;
      part += shareAt(at);
    }
    if (part > LEAST_PART) weeks.push({ age, level: sum / part, part });
  }
  return weeks;
}

function fitLevel(weeks: readonly WeekLevel[]) {
  const weightOf = ({ age, part }: WeekLevel) => part * 0.5 ** (age / HALF_LIFE_WEEKS);
  const weight = weeks.reduce((sum, week) => sum + weightOf(week), 0);
  const mean = (measure: (week: WeekLevel) => number) =>
    weight === 0 ? 0 : weeks.reduce((sum, week) => sum + weightOf(week) * measure(week), 0) / weight;
  const level = mean((week) => week.level);
  const squares = weeks.reduce((sum, week) => sum + weightOf(week) ** 2, 0);
  const count = squares === 0 ? 0 : weight ** 2 / squares;
  const age = mean((week) => week.age);
  const spread = mean((week) => (week.age - age) ** 2);
  const slope = spread === 0 ? 0 : -mean((week) => (week.age - age) * (week.level - level)) / spread;
  const parts = weeks.reduce((sum, week) => sum + week.part, 0);
  const rest = weeks.reduce((sum, week) => sum + week.part * (week.level - level) ** 2, 0);
  const variance = parts > 1 ? rest / (parts - 1) : level ** 2;
  // The growth is moved toward none, as far as the noise of the weeks asks for it.
  const [error, prior] = [
    spread === 0 || count === 0 ? Number.POSITIVE_INFINITY : variance / (count * spread),
    (GROWTH * level) ** 2,
  ];
  const certainty = prior === 0 ? 0 : prior / (prior + error);
  const growth = slope * certainty;
  const growthError = Math.sqrt(prior * (1 - certainty));
  return { now: Math.max(0, level + growth * age), growth, variance, count, age, growthError };
}
