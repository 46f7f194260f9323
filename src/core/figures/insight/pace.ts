import { clip, NORMAL_DEVIATION, NORMAL_REACH, meanOf, median, sumOf } from '../../base/statistics.ts';
import { DAYS_IN_A_WEEK } from '../../base/time/calendar.ts';
import { type DayAhead, likelyCourses, mixtureOf, sumsAhead } from './course.ts';

/** With fewer days, hardly any weekday occurred twice. */
export const LEAST_DAYS = 14;
/** The deviation of a sum is itself estimated, from some weeks. */
const WIDENING = 1.08;
/** A run of days without use that is less likely than this is no pace. */
const AWAY = 0.002;
/** A run at the end: below the first the person has stopped, below the second nobody knows. */
const [STOPPED, PAUSED] = [0.002, 0.2];
/** In standard deviations: a day with hardly any use says no more than one that is so far below the others. */
const MAX_DEVIATIONS = 3;
/** The logarithms of the days of most people differ by about this much. It counts as the first number of days, for sums as the second. */
const [USUAL_SPREAD, PRIOR_DAYS, PRIOR_DAYS_OF_SUMS] = [0.7, 2, 40];
/** By how much the days of a week differ beyond chance, in logarithms. */
const WEEKDAY_SPREAD = 0.2;
/** A course with a smaller probability is ruled out. */
const LEAST_LIKELY = 0.1;
export interface Pace {
  /** `paused`: the last days without use are unusual, `stopped`: so unusual that they are the pace. */
  kind: 'regular' | 'paused' | 'stopped';
  /** The days without use at the end. */
  idleDays: number;
  /** The days that count: without absences, and from the first use on. */
  countedDays: number;
  /** The expected amount of each weekday, beginning with the day after the last known one. */
  weekdays: number[];
  /** Returns the sums from a number of days after the last known one on, by each of the following days. */
  sumsAhead: (skipped: number, count: number) => SumAhead[];
}

/** A lognormal sum of days to come. */
export interface LikelySum {
  mean: number;
  deviation: number;
}

export interface SumAhead extends LikelySum {
  /** The same sum by each course that the known days don’t rule out, such as a level that grows. */
  courses: LikelySum[];
}

const zeros = () => Array.from({ length: DAYS_IN_A_WEEK }, () => 0);

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
  const smooth = activityRates(days, isAway);
  const activeDays = days.filter((amount) => amount > 0).length;
  // Half a day of both kinds must not change how many days have use.
  const scale =
    activeDays / sumOf([...days.keys()], (at) => (isAway[at] === true ? 0 : (smooth[at % DAYS_IN_A_WEEK] ?? 0)));
  const rates = smooth.map((rate) => Math.min(1, scale * rate));
  const use = fitUse(days);
  const levelNow = sumOf(use.courses, ({ weight, levelAt }) => weight * Math.exp(levelAt(0)));
  const daysAhead = (skipped: number, count: number) =>
    Array.from({ length: count }, (_, index): DayAhead => {
      const weekday = (days.length + skipped + index) % DAYS_IN_A_WEEK;
      const weeks = (skipped + index + 0.5) / DAYS_IN_A_WEEK;
      const [rate, amount] = [rates[weekday] ?? 0, use.amounts[weekday] ?? 0];
      return { weeks, rate, amount, squaredVariation: use.squaredVariation };
    });
  // What the days that count say of how often a person works has an error of its own.
  const rateOfWeek = sumOf(rates, (rate) => rate);
  const errorOfRate = (DAYS_IN_A_WEEK * sumOf(rates, (rate) => rate * (1 - rate))) / countedDays / rateOfWeek ** 2;
  return {
    kind: chance < PAUSED ? 'paused' : 'regular',
    idleDays,
    countedDays,
    weekdays: daysAhead(0, DAYS_IN_A_WEEK).map(({ rate, amount }) => levelNow * rate * amount),
    sumsAhead: (skipped, count) =>
      sumsAhead(use.courses, daysAhead(skipped, count)).map((sums): SumAhead => ({
        ...toSum(mixtureOf(sums)),
        courses: sums.filter(({ weight }) => weight >= LEAST_LIKELY).map(toSum),
      })),
  };

  function toSum({ mean, square }: { mean: number; square: number }): LikelySum {
    const variance = square + (errorOfRate - 1) * mean ** 2;
    return { mean, deviation: Math.sqrt(Math.max(0, variance)) };
  }
}

const STOPPED_PACE: Pace = {
  kind: 'stopped',
  idleDays: 0,
  countedDays: 0,
  weekdays: zeros(),
  sumsAhead: (_, count) => Array.from({ length: count }, () => ({ mean: 0, deviation: 0, courses: [] })),
};

const lognormal = ({ mean, deviation }: LikelySum) => {
  const variance = Math.log(1 + (deviation / mean) ** 2);
  return { middle: Math.log(mean) - variance / 2, spread: Math.sqrt(variance) };
};

/** With it, the logistic curve is close to the normal distribution. */
const LOGISTIC = 1.7;

/** The chance that a sum reaches an amount. */
export function chanceOf(amount: number, sum: LikelySum): number {
  if (sum.deviation === 0 || sum.mean <= 0 || amount <= 0) return Number(sum.mean >= amount);
  const { middle, spread } = lognormal(sum);
  return 1 / (1 + Math.exp((LOGISTIC * (Math.log(amount) - middle)) / spread));
}

/** Eight of ten sums lie in this range. */
export function likelyRange(sum: LikelySum): { lower: number; upper: number } {
  if (sum.deviation === 0 || sum.mean <= 0) return { lower: sum.mean, upper: sum.mean };
  const { middle, spread } = lognormal(sum);
  const reach = WIDENING * NORMAL_REACH * spread;
  return { lower: Math.exp(middle - reach), upper: Math.exp(middle + reach) };
}

/** The amounts of the days with use. */
function fitUse(days: readonly number[]) {
  const used = [...days.keys()].filter((at) => (days[at] ?? 0) > 0);
  const logarithms = used.map((at) => Math.log(days[at] ?? 1));
  const center = median(logarithms);
  const deviation = NORMAL_DEVIATION * median(logarithms.map((one) => Math.abs(one - center)));
  const limit = MAX_DEVIATIONS * Math.max(USUAL_SPREAD / 2, deviation);
  const clipped = logarithms.map((one) => center + clip(one - center, limit));
  const level = meanOf(clipped);
  const squares = sumOf(clipped, (one) => (one - level) ** 2);
  const freedom = Math.max(1, used.length - 1);
  const variance = (PRIOR_DAYS * USUAL_SPREAD ** 2 + squares) / (PRIOR_DAYS + freedom);
  // By how much each weekday differs, moved toward nothing.
  const effects = zeros().map((_, weekday) => {
    const own = clipped.filter((_one, index) => (used[index] ?? 0) % DAYS_IN_A_WEEK === weekday);
    return sumOf(own, (one) => one - level) / (own.length + variance / WEEKDAY_SPREAD ** 2);
  });
  const effectOn = (at: number) => effects[at % DAYS_IN_A_WEEK] ?? 0;
  // The logarithms say less about sums than the amounts themselves: Duan, “Smearing Estimate” (1983).
  const ratios = used.map((at, index) => Math.exp((logarithms[index] ?? 0) - level - effectOn(at)));
  const expected = Math.exp(squares / freedom / 2);
  const momentOf = (power: number, prior: number) =>
    (sumOf(ratios, (ratio) => ratio ** power) + PRIOR_DAYS_OF_SUMS * prior) / (ratios.length + PRIOR_DAYS_OF_SUMS);
  const factor = momentOf(1, expected);
  return {
    amounts: effects.map((effect) => factor * Math.exp(effect)),
    squaredVariation: Math.max(0, momentOf(2, expected ** 4) / factor ** 2 - 1),
    courses: likelyCourses(
      used.map((at, index) => ({
        at: (at + 1 - days.length) / DAYS_IN_A_WEEK,
        value: (clipped[index] ?? 0) - effectOn(at),
      })),
      variance,
    ),
  };
}

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
