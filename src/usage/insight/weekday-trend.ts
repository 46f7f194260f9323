import { DAYS_IN_A_WEEK } from '../../base/time/calendar.ts';
import { meanOf, median } from '../../base/statistics.ts';

/** A value of a day, which is a count of days, so that its weekday is its remainder by seven. */
export interface Point {
  dayNumber: number;
  value: number;
}

export interface Expectation {
  value: number;
  /** The standard error of a single new day, what is unsure about `value` included. */
  error: number;
  freedom: number;
}

/** How far from its weekday a day is no part of the ordinary: in standard deviations told by the median distance. */
const MAX_DEVIATIONS = 4;
/** The standard deviation of normal noise, in median distances. */
const NORMAL_DEVIATION = 1.4826;
/** What happens more often than this is no exception but the way things are. */
const MAX_EXCEPTIONS = 0.1;
/** Each round sees the exceptions against a line that fewer exceptions bend. */
const ROUNDS = 3;

/**
 * What to expect of a day by a level for each weekday and one trend for all, fitted by least squares to the days before, with
 * the prediction interval of a new observation: Draper and Smith, "Applied Regression Analysis" (1998), 3.5 and 14. Days far off
 * that are few are left out first, as in Rousseeuw and Leroy, "Robust Regression and Outlier Detection" (1987), 1.1 (reweighted
 * least squares). The spread is pooled over all weekdays, so that a few weeks tell it well. Pure.
 *
 * @returns nothing if the weekday was seen too seldom, or all together too little to tell a spread
 */
export function expectDay(
  points: readonly Point[],
  dayNumber: number,
  least: { ofWeekday: number; freedom: number },
): Expectation | undefined {
  const byWeekday = Map.groupBy(points, (point) => point.dayNumber % DAYS_IN_A_WEEK);
  const own = byWeekday.get(dayNumber % DAYS_IN_A_WEEK);
  if (!own || own.length < least.ofWeekday) return undefined;
  // Days that are always the same, such as weekends without work, tell nothing of how far others spread.
  const varied = [...byWeekday.values()].filter((group) => group.some(({ value }) => value !== group[0]?.value));
  const start = varied.map((group) => ({ group, middle: median(group.map(({ value }) => value)) }));
  const deviations = start.flatMap(({ group, middle }) => group.map(({ value }) => value - middle));
  let groups = withoutExceptions(varied, deviations);
  let line = fitLine(groups);
  for (let round = 1; round < ROUNDS; round += 1) {
    const { slope, centers } = line;
    const from = varied.flatMap((group, index) => group.map((point) => deviationOf(point, centers[index], slope)));
    groups = withoutExceptions(varied, from);
    line = fitLine(groups);
  }
  if (line.freedom < least.freedom && varied.length > 0) return undefined;
  const index = varied.indexOf(own);
  const center = line.centers[index];
  if (!center)
    return { value: own[0]?.value ?? 0, error: line.deviation, freedom: Math.max(line.freedom, least.freedom) };
  const distance = dayNumber - center.dayNumber;
  const unsure = 1 / center.count + (line.spreadOfDays === 0 ? 0 : distance ** 2 / line.spreadOfDays);
  return {
    value: center.value + line.slope * distance,
    error: line.deviation * Math.sqrt(1 + unsure),
    freedom: line.freedom,
  };
}

interface Center {
  dayNumber: number;
  value: number;
  count: number;
}

function deviationOf({ dayNumber, value }: Point, center: Center | undefined, slope: number): number {
  return center ? value - center.value - slope * (dayNumber - center.dayNumber) : 0;
}

/** @param deviations of the points of all groups, one after another */
function withoutExceptions(groups: readonly Point[][], deviations: readonly number[]): Point[][] {
  if (deviations.length === 0) return [];
  const limit = MAX_DEVIATIONS * NORMAL_DEVIATION * median(deviations.map((one) => Math.abs(one)));
  const exceptions = deviations.filter((one) => Math.abs(one) > limit).length;
  if (exceptions === 0 || exceptions > MAX_EXCEPTIONS * deviations.length) return groups.map((group) => [...group]);
  let index = -1;
  return groups.map((group) => {
    const kept = group.filter(() => Math.abs(deviations[(index += 1)] ?? 0) <= limit);
    return kept.length === 0 ? group : kept;
  });
}

function fitLine(groups: readonly (readonly Point[])[]) {
  const centers = groups.map((group): Center => ({
    dayNumber: meanOf(group.map((point) => point.dayNumber)),
    value: meanOf(group.map((point) => point.value)),
    count: group.length,
  }));
  let [spreadOfDays, together, spread, count] = [0, 0, 0, 0];
  groups.forEach((group, index) => {
    const center = centers[index];
    for (const point of center ? group : []) {
      const days = point.dayNumber - (center?.dayNumber ?? 0);
      const value = point.value - (center?.value ?? 0);
      spreadOfDays += days * days;
      together += days * value;
      spread += value * value;
      count += 1;
    }
  });
  const slope = spreadOfDays === 0 ? 0 : together / spreadOfDays;
  const freedom = count - groups.length - 1;
  const rest = Math.max(0, spread - slope * together);
  return { centers, slope, spreadOfDays, freedom, deviation: freedom > 0 ? Math.sqrt(rest / freedom) : 0 };
}
