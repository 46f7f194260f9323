import { DAYS_IN_A_WEEK } from '../../base/time/calendar.ts';
import { meanOf, median, NORMAL_DEVIATION } from '../../base/statistics.ts';

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
export function beyondStep(points: readonly Point[], step: LevelStep): Point[] {
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
