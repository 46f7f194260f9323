import { NORMAL_DEVIATION, median } from '../../base/statistics.ts';

/** A lasting change of the level. */
export interface LevelStep {
  dayNumber: number;
  /** In logarithms, from the level before. */
  size: number;
  /** Including its first day. */
  workdaysSince: number;
}

export interface PendingStep extends LevelStep {
  /** Hardly anybody is there: it will end as holidays do. */
  isShutdown: boolean;
}

export interface Levels {
  /** By day, in logarithms. */
  slope: number;
  /** By the place of a value: the level of its side of each step, on the last day. */
  levels: number[];
  /** Values of holidays, shutdowns and hack weeks, between two stretches of about the same level. */
  isExcursion: boolean[];
  steps: LevelStep[];
  pending: PendingStep | undefined;
  /** The last lasting level. */
  last: number;
  /** The values without the slope, as on the last day. */
  flattened: readonly number[];
}

/** In squared standard deviations: no day says more than one that is three deviations off. */
const MAX_INFLUENCE = 9;
/** Times the logarithm of the number of days: the gain that another level must bring, twice that of Schwarz (1978). */
const PENALTY = 5;
/** The gain that a slope must bring: Akaike’s (1974) for a parameter, twice. */
const SLOPE_PENALTY = 4;
/** Fewer days are single exceptions. */
const LEAST_SEGMENT = 3;
/** In workdays: fewer days at the end may be anything. */
export const LEAST_STEP_DAYS = 5;
/** In workdays: two weeks. A longer excursion is a level. */
const MAX_EXCURSION = 10;
/** In logarithms of shares: below it hardly anybody is there. */
const SHUTDOWN = Math.log(0.2);

/**
 * Divides values into levels with the least cost, by dynamic programming: Jackson et al., “An algorithm for optimal
 * partitioning of data on an interval” (2005), with the bounded cost of Fearnhead and Rigaill, “Changepoint detection in
 * the presence of outliers” (2019). A short stretch between two similar levels is an excursion, not two steps.
 * @param values logarithms without the effect of weekdays, one for each of `times`, which are day numbers
 */
export function findLevels(values: readonly number[], times: readonly number[], noise: number): Levels {
  const end = times.at(-1) ?? 0;
  const candidate = robustSlope(values, times);
  const flat = divide(values, noise);
  const sloped = divide(withoutSlope(values, times, candidate), noise);
  const isSloped = sloped.cost + SLOPE_PENALTY < flat.cost;
  const slope = isSloped ? candidate : 0;
  const flattened = withoutSlope(values, times, slope);
  return { slope, flattened, ...joinSegments(flattened, times, (isSloped ? sloped : flat).segments) };

  function withoutSlope(all: readonly number[], days: readonly number[], by: number): number[] {
    return all.map((value, at) => value - by * ((days[at] ?? 0) - end));
  }
}

/** From differences of neighbours, which steps and holidays hardly change, and growth changes all alike. */
export function noiseOf(values: readonly number[]): number {
  const differences = values.slice(1).map((value, at) => value - (values[at] ?? 0));
  if (differences.length === 0) return 0;
  const usual = median(differences);
  return (NORMAL_DEVIATION * median(differences.map((one) => Math.abs(one - usual)))) / Math.SQRT2;
}

/** The median slope between days that are half of the time apart. */
function robustSlope(values: readonly number[], times: readonly number[]): number {
  const half = Math.floor(values.length / 2);
  if (half < LEAST_STEP_DAYS) return 0;
  return median(
    values.slice(half).map((value, at) => (value - (values[at] ?? 0)) / ((times[at + half] ?? 0) - (times[at] ?? 0))),
  );
}

interface Segment {
  from: number;
  to: number;
}

interface BestDivision {
  cost: number;
  segments: Segment[];
}

function divide(values: readonly number[], noise: number): BestDivision {
  const count = values.length;
  const penalty = PENALTY * Math.log(Math.max(2, count));
  const best = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
  const fromOf = new Int32Array(count + 1);
  // One array for all stretches: each begins anew.
  const sorted = new Float64Array(count);
  best[0] = -penalty;
  for (let from = 0; from < count; from += 1) {
    const before = (best[from] ?? 0) + penalty;
    if (before === Number.POSITIVE_INFINITY) continue;
    for (let to = from + 1; to <= count; to += 1) {
      const days = to - from;
      insert(sorted, days - 1, (values[to - 1] ?? 0) / noise);
      if (days < LEAST_SEGMENT && days < count) continue;
      const cost = before + costOf(sorted, days, (best[to] ?? 0) - before);
      if (cost >= (best[to] ?? 0)) continue;
      best[to] = cost;
      fromOf[to] = from;
    }
  }
  const segments: Segment[] = [];
  for (let to = count; to > 0; to = fromOf[to] ?? 0) segments.unshift({ from: fromOf[to] ?? 0, to });
  return { cost: best[count] ?? 0, segments };
}

function insert(sorted: Float64Array, count: number, value: number): void {
  let place = count;
  for (; place > 0 && (sorted[place - 1] ?? 0) > value; place -= 1) sorted[place] = sorted[place - 1] ?? 0;
  sorted[place] = value;
}

/** @returns infinity for a cost above the limit, which most stretches reach after a few values */
function costOf(sorted: Float64Array, count: number, limit: number): number {
  const middle = ((sorted[(count - 1) >> 1] ?? 0) + (sorted[count >> 1] ?? 0)) / 2;
  let cost = 0;
  for (let place = 0; place < count; place += 1) {
    if (cost >= limit) return Number.POSITIVE_INFINITY;
    const distance = (sorted[place] ?? 0) - middle;
    cost += Math.min(MAX_INFLUENCE, distance * distance);
  }
  return cost;
}

interface Run {
  parts: Segment[];
  level: number;
  days: number;
}

/** Joins the levels around each excursion, and sets the days at the end apart that are not yet a level. */
function joinSegments(values: readonly number[], times: readonly number[], segments: readonly Segment[]) {
  const isExcursion = values.map(() => false);
  const toRun = (parts: Segment[]): Run => ({
    parts,
    level: median(parts.flatMap(({ from, to }) => values.slice(from, to))),
    days: parts.reduce((sum, { from, to }) => sum + to - from, 0),
  });
  let runs = segments.map((one) => toRun([one]));
  for (let at = findExcursion(runs); at !== -1; at = findExcursion(runs)) {
    const [before, excursion, after] = runs.slice(at - 1, at + 2);
    for (const { from, to } of excursion?.parts ?? []) isExcursion.fill(true, from, to);
    const joined = toRun([...(before?.parts ?? []), ...(after?.parts ?? [])]);
    runs = [...runs.slice(0, at - 1), joined, ...runs.slice(at + 2)];
  }
  const stepTo = (index: number): LevelStep => {
    const from = runs[index]?.parts[0]?.from ?? 0;
    const size = (runs[index]?.level ?? 0) - (runs[index - 1]?.level ?? 0);
    return { dayNumber: times[from] ?? 0, size, workdaysSince: values.length - from };
  };
  let pending: PendingStep | undefined;
  const last = runs.at(-1);
  if (last && runs.length > 1) {
    const step = stepTo(runs.length - 1);
    const isShutdown = step.size < SHUTDOWN && last.days <= MAX_EXCURSION;
    if (isShutdown || last.days < LEAST_STEP_DAYS) {
      pending = { ...step, isShutdown };
      for (const { from, to } of last.parts) isExcursion.fill(true, from, to);
      runs = runs.slice(0, -1);
    }
  }
  const levels = values.map(() => runs.at(-1)?.level ?? 0);
  for (const { parts, level } of runs) for (const { from, to } of parts) levels.fill(level, from, to);
  const steps = runs.slice(1).map((_, index) => stepTo(index + 1));
  return { levels, isExcursion, steps, pending, last: runs.at(-1)?.level ?? 0 };
}

/** Returns the place of a short stretch whose neighbours are closer to each other than half of its distance to both. */
function findExcursion(runs: readonly Run[]): number {
  return runs.findIndex(({ days, level }, index) => {
    const [before, after] = [runs[index - 1], runs[index + 1]];
    if (!before || !after || days > MAX_EXCURSION) return false;
    const depth = Math.min(Math.abs(level - before.level), Math.abs(level - after.level));
    return Math.abs(before.level - after.level) < depth / 2;
  });
}
