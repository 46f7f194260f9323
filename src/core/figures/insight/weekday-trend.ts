import { DAYS_IN_A_WEEK } from '../../base/time/calendar.ts';
import { meanOf, median, NORMAL_DEVIATION } from '../../base/statistics.ts';
import { beyondStep, classOf, findSteps, type DayClass, type LevelStep, type Point } from './level-step.ts';

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
