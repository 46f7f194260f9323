import { DAYS_IN_A_WEEK } from '../../base/time/calendar.ts';
import { NORMAL_DEVIATION, meanOf, median } from '../../base/statistics.ts';

/** The value of a day. Days are numbered from 1970-01-01, so the remainder by seven is the weekday. */
export interface Point {
  dayNumber: number;
  value: number;
}

/** 1970-01-01 was a Thursday. */
const [SATURDAY, SUNDAY] = [2, 3];

/** Few people work at weekends, so weekend sums vary several times as much as those of workdays. */
export type DayClass = 'workday' | 'weekend';

export function classOf(dayNumber: number): DayClass {
  const weekday = dayNumber % DAYS_IN_A_WEEK;
  return weekday === SATURDAY || weekday === SUNDAY ? 'weekend' : 'workday';
}

/** A lasting change of the level of all weekdays. */
export interface LevelStep {
  dayNumber: number;
  /** The number to add to earlier values, so that they are comparable with the values from that day on. */
  size: number;
}

/** Fewer days may be a holiday or an outage. */
const LEAST_AFTER = 5;
const LEAST_BEFORE = 14;
/** In standard errors. The search tries dozens of days, and mere chance produces smaller evidence. */
const LEAST_EVIDENCE = 5;
/** In logarithms: a smaller change does not affect a usual range. */
const LEAST_SIZE = 0.14;
/** The share of days on each side that must be closer to the level of their side: a few extreme days are no level. */
const LEAST_AGREEMENT = 0.7;
const MAX_STEPS = 2;
/** Values further from the median of their weekday are clipped to this many standard deviations. */
const CLIPPED_AT = 4;

/**
 * Finds lasting steps by comparing, for each day, a line for all days with a line that steps on that day: Quandt,
 * "Tests of the hypothesis that a linear regression system obeys two separate regimes" (1960). Returns the largest
 * evidence first.
 * @param points logarithms of daily amounts, in any order
 */
export function findSteps(points: readonly Point[]): LevelStep[] {
  const steps: LevelStep[] = [];
  let rest = points.toSorted((a, b) => a.dayNumber - b.dayNumber);
  while (steps.length < MAX_STEPS) {
    const step = strongestStep(rest);
    if (!step) break;
    steps.push(step);
    rest = beyondStep(rest, step);
  }
  return steps;
}

/** Returns the points as if the level after the step had applied from the beginning. */
function beyondStep(points: readonly Point[], step: LevelStep): Point[] {
  return points.map((point) =>
    point.dayNumber < step.dayNumber ? { ...point, value: point.value + step.size } : point,
  );
}

interface WeightedPoint extends Point {
  weekday: number;
  weight: number;
}

function strongestStep(points: readonly Point[]): LevelStep | undefined {
  if (points.length < LEAST_BEFORE + LEAST_AFTER) return undefined;
  const weighted = weightedPoints(points);
  const values = centered(weighted, ({ value }) => value);
  const days = centered(weighted, ({ dayNumber }) => dayNumber);
  const ofDays = together(weighted, days, days);
  const ofBoth = together(weighted, days, values);
  if (ofDays === 0) return undefined;
  const unexplained = together(weighted, values, values) - ofBoth ** 2 / ofDays;
  const freedom = weighted.length - DAYS_IN_A_WEEK - 2;
  let best: (LevelStep & { evidence: number }) | undefined;
  for (const { first, ofAfter, withDays, withValues } of sumsOfCandidates(weighted, days, values)) {
    const ofStep = ofAfter - withDays ** 2 / ofDays;
    const ofStepAndValues = withValues - (withDays * ofBoth) / ofDays;
    if (ofStep <= 0) continue;
    const size = ofStepAndValues / ofStep;
    const noise = Math.max(0, unexplained - ofStepAndValues * size) / freedom;
    const evidence = noise === 0 ? Number.POSITIVE_INFINITY : Math.abs(size) / Math.sqrt(noise / ofStep);
    if (evidence > (best?.evidence ?? 0)) best = { dayNumber: first, size, evidence };
  }
  if (!best || best.evidence < LEAST_EVIDENCE || Math.abs(best.size) < LEAST_SIZE) return undefined;
  return agreement(weighted, values, best) < LEAST_AGREEMENT ? undefined : best;
}

/** The sums for a regression on the indicator “on or after this day”, for each day that may begin a new level. */
interface CandidateSums {
  first: number;
  /** The sums of its squares and of its products with days and values, after subtracting the means of weekdays. */
  ofAfter: number;
  withDays: number;
  withValues: number;
}

/** One pass from the last day to the first: an answer about a year runs this search hundreds of times. */
function sumsOfCandidates(
  points: readonly WeightedPoint[],
  days: readonly number[],
  values: readonly number[],
): CandidateSums[] {
  const [all, after, weights] = [zeros(), zeros(), zeros()];
  for (const { weekday, weight } of points) {
    all[weekday] = (all[weekday] ?? 0) + 1;
    weights[weekday] = weight;
  }
  let [withDays, withValues] = [0, 0];
  const candidates: CandidateSums[] = [];
  for (let index = points.length - 1; index >= LEAST_BEFORE; index -= 1) {
    const { weekday, weight, dayNumber } = points[index] ?? { weekday: 0, weight: 0, dayNumber: 0 };
    after[weekday] = (after[weekday] ?? 0) + 1;
    withDays += weight * (days[index] ?? 0);
    withValues += weight * (values[index] ?? 0);
    if (index > points.length - LEAST_AFTER) continue;
    let ofAfter = 0;
    for (let one = 0; one < DAYS_IN_A_WEEK; one += 1) {
      const [total, count] = [all[one] ?? 0, after[one] ?? 0];
      if (total > 0) ofAfter += (weights[one] ?? 0) * (count - count ** 2 / total);
    }
    candidates.push({ first: dayNumber, ofAfter, withDays, withValues });
  }
  return candidates;
}

const zeros = (): number[] => Array.from({ length: DAYS_IN_A_WEEK }, () => 0);

/** Weights each class of days by its spread and clips extreme values. */
function weightedPoints(points: readonly Point[]): WeightedPoint[] {
  const middles = new Map(
    [...Map.groupBy(points, ({ dayNumber }) => dayNumber % DAYS_IN_A_WEEK)].map(([weekday, group]) => [
      weekday,
      median(group.map(({ value }) => value)),
    ]),
  );
  const byClass = Map.groupBy(points, ({ dayNumber }) => classOf(dayNumber));
  const spreads = new Map(
    [...byClass].map(([dayClass, group]) => {
      const sizes = group.map(({ dayNumber, value }) =>
        Math.abs(value - (middles.get(dayNumber % DAYS_IN_A_WEEK) ?? 0)),
      );
      return [dayClass, NORMAL_DEVIATION * median(sizes)];
    }),
  );
  const least = Math.max(...spreads.values());
  return points.flatMap(({ dayNumber, value }) => {
    const weekday = dayNumber % DAYS_IN_A_WEEK;
    const spread = spreads.get(classOf(dayNumber)) ?? 0;
    // Days that are always the same, such as weekends without work, show no step.
    if (spread === 0 && least > 0) return [];
    const middle = middles.get(weekday) ?? 0;
    const reach = spread === 0 ? Number.POSITIVE_INFINITY : CLIPPED_AT * spread;
    const clipped = middle + Math.max(-reach, Math.min(reach, value - middle));
    return [{ dayNumber, value: clipped, weekday, weight: spread === 0 ? 1 : spread ** -2 }];
  });
}

/** Returns a measure of each point, minus its mean over the points of the same weekday. */
function centered(points: readonly WeightedPoint[], measure: (point: WeightedPoint) => number): number[] {
  const [sums, counts] = [zeros(), zeros()];
  for (const point of points) {
    sums[point.weekday] = (sums[point.weekday] ?? 0) + measure(point);
    counts[point.weekday] = (counts[point.weekday] ?? 0) + 1;
  }
  return points.map((point) => measure(point) - (sums[point.weekday] ?? 0) / (counts[point.weekday] ?? 1));
}

function together(points: readonly WeightedPoint[], one: readonly number[], other: readonly number[]): number {
  let sum = 0;
  points.forEach(({ weight }, index) => {
    sum += weight * (one[index] ?? 0) * (other[index] ?? 0);
  });
  return sum;
}

/** Returns the share of days that are closer to the level of their own side of the step, for the side with fewer. */
function agreement(
  points: readonly WeightedPoint[],
  values: readonly number[],
  { dayNumber, size }: LevelStep,
): number {
  const sides = [...Map.groupBy(points.keys(), (index) => (points[index]?.dayNumber ?? 0) >= dayNumber)];
  const middles = new Map(
    sides.map(([isAfter, indexes]) => [isAfter, median([...indexes].map((index) => values[index] ?? 0))]),
  );
  const boundary = ((middles.get(true) ?? 0) + (middles.get(false) ?? 0)) / 2;
  const shares = sides.map(([isAfter, indexes]) =>
    meanOf([...indexes].map((index) => Number((values[index] ?? 0) > boundary === (size > 0 === isAfter)))),
  );
  return Math.min(...shares);
}

export interface Expectation {
  value: number;
  /** The standard error of a single new day, including the uncertainty of `value`. */
  error: number;
  freedom: number;
  /** Lasting steps of the level that `value` takes into account. */
  steps: LevelStep[];
}

/** A day further from its weekday is an exception: in standard deviations, estimated by the median distance. */
const MAX_DEVIATIONS = 4;
/** Deviations on a larger share of days are normal, not exceptions. */
const MAX_EXCEPTIONS = 0.1;
/** Each round judges exceptions by a line that fewer exceptions distort. */
const ROUNDS = 3;

/**
 * Computes what to expect of a day: a level for each weekday and one trend for all, fitted by weighted least squares to
 * the days before, with the prediction interval of a new observation: Draper and Smith, "Applied Regression Analysis"
 * (1998), 3.5, 9.2 and 14. Values before a lasting step are moved to its new level. A few extreme days are left out
 * first, as in Rousseeuw and Leroy, "Robust Regression and Outlier Detection" (1987), 1.1 (reweighted least squares).
 * The spread is pooled over workdays and over weekends separately: weekends of a small team vary two to five times as
 * much.
 * @returns undefined if there are too few days of the weekday, or of its class to estimate a spread
 */
export function expectDay(
  points: readonly Point[],
  dayNumber: number,
  least: { ofWeekday: number; freedom: number },
): Expectation | undefined {
  const steps = findSteps(points);
  const leveled = steps.reduce<readonly Point[]>(beyondStep, points);
  const byWeekday = Map.groupBy(leveled, (point) => point.dayNumber % DAYS_IN_A_WEEK);
  const own = byWeekday.get(dayNumber % DAYS_IN_A_WEEK);
  if (!own || own.length < least.ofWeekday) return undefined;
  // Days that are always the same, such as weekends without work, say nothing about the spread of others.
  const varied = [...byWeekday.values()].filter((group) => group.some(({ value }) => value !== group[0]?.value));
  const line = fitWithoutExceptions(varied);
  const index = varied.indexOf(own);
  const center = line.centers[index];
  if (!center) {
    const spread = line.spreads.get(classOf(dayNumber)) ?? [...line.spreads.values()][0];
    const freedom = Math.max(spread?.freedom ?? 0, least.freedom);
    return { value: own[0]?.value ?? 0, error: spread?.deviation ?? 0, freedom, steps };
  }
  const spread = line.spreads.get(classOf(dayNumber));
  if (!spread || spread.freedom < least.freedom) return undefined;
  const distance = dayNumber - center.dayNumber;
  const ofValue = spread.deviation ** 2 * (1 + 1 / center.count);
  return {
    value: center.value + line.slope * distance,
    error: Math.sqrt(ofValue + distance ** 2 * line.varianceOfSlope),
    freedom: spread.freedom,
    steps,
  };
}

interface Center {
  dayNumber: number;
  value: number;
  count: number;
}

interface Spread {
  deviation: number;
  freedom: number;
}

interface Line {
  centers: Center[];
  slope: number;
  varianceOfSlope: number;
  spreads: Map<DayClass, Spread>;
}

function fitWithoutExceptions(varied: readonly Point[][]): Line {
  const distances = varied.map((group) => {
    const middle = median(group.map(({ value }) => value));
    return group.map(({ value }) => value - middle);
  });
  let line = fitLine(withoutExceptions(varied, distances));
  for (let round = 1; round < ROUNDS; round += 1) {
    const { slope, centers } = line;
    const deviations = varied.map((group, index) => group.map((point) => deviationOf(point, centers[index], slope)));
    line = fitLine(withoutExceptions(varied, deviations));
  }
  return line;
}

function deviationOf({ dayNumber, value }: Point, center: Center | undefined, slope: number): number {
  return center ? value - center.value - slope * (dayNumber - center.dayNumber) : 0;
}

/** @param deviations one for each point of each group */
function withoutExceptions(groups: readonly Point[][], deviations: readonly (readonly number[])[]): Point[][] {
  const limits = new Map<DayClass, number>();
  for (const [dayClass, indexes] of indexesByClass(groups)) {
    const sizes = indexes.flatMap((index) => (deviations[index] ?? []).map((one) => Math.abs(one)));
    const limit = MAX_DEVIATIONS * NORMAL_DEVIATION * median(sizes);
    const exceptions = sizes.filter((one) => one > limit).length;
    if (exceptions <= MAX_EXCEPTIONS * sizes.length) limits.set(dayClass, limit);
  }
  return groups.map((group, index) => {
    const limit = limits.get(classOfGroup(group)) ?? Number.POSITIVE_INFINITY;
    const usualPoints = group.filter((_, at) => Math.abs(deviations[index]?.[at] ?? 0) <= limit);
    return usualPoints.length === 0 ? [...group] : usualPoints;
  });
}

const classOfGroup = (group: readonly Point[]) => classOf(group[0]?.dayNumber ?? 0);

const indexesByClass = (groups: readonly (readonly Point[])[]) =>
  Map.groupBy(groups.keys(), (index) => classOfGroup(groups[index] ?? []));

/** Weights each class by its spread in the slope, so that weekends of a small team do not distort it. */
function fitLine(groups: readonly (readonly Point[])[]): Line {
  const centers = groups.map((group): Center => ({
    dayNumber: meanOf(group.map((point) => point.dayNumber)),
    value: meanOf(group.map((point) => point.value)),
    count: group.length,
  }));
  const sums = [...indexesByClass(groups)].map(([dayClass, indexes]) => ({
    dayClass,
    ...sumsOf(indexes.map((index) => ({ group: groups[index] ?? [], center: centers[index] }))),
  }));
  const variances = sums.map(({ days, both, values, freedom }) =>
    freedom > 1 && days > 0 ? Math.max(0, values - both ** 2 / days) / (freedom - 1) : 0,
  );
  const least = Math.max(Number.MIN_VALUE, Math.max(0, ...variances) * LEAST_VARIANCE);
  let [information, together] = [0, 0];
  sums.forEach(({ days, both }, index) => {
    const variance = Math.max(least, variances[index] ?? 0);
    information += days / variance;
    together += both / variance;
  });
  const slope = information === 0 ? 0 : together / information;
  const spreads = sums.map(({ dayClass, days, both, values, freedom }): [DayClass, Spread] => {
    const rest = Math.max(0, values - 2 * slope * both + slope ** 2 * days);
    return [dayClass, { deviation: freedom > 1 ? Math.sqrt(rest / (freedom - 1)) : 0, freedom: freedom - 1 }];
  });
  return { centers, slope, varianceOfSlope: information === 0 ? 0 : 1 / information, spreads: new Map(spreads) };
}

/** A class with a tiny variance must not determine the slope alone. */
const LEAST_VARIANCE = 1e-4;

function sumsOf(groups: readonly { group: readonly Point[]; center: Center | undefined }[]) {
  let [days, both, values, freedom] = [0, 0, 0, 0];
  for (const { group, center } of groups) {
    freedom += group.length - 1;
    for (const point of group) {
      const day = point.dayNumber - (center?.dayNumber ?? 0);
      const value = point.value - (center?.value ?? 0);
      days += day * day;
      both += day * value;
      values += value * value;
    }
  }
  return { days, both, values, freedom };
}
